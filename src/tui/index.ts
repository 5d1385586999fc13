/**
 * The screens. The built program loads them as one ES module of their own, through a bridge that makes an asynchronous
 * function of every export: so every export here is an asynchronous function.
 */
export { openFleetScreen } from "./fleet/open-fleet-screen.tsx";
export { openListScreen } from "./list/open-list-screen.tsx";
export { openLiveView } from "./live/open-live-view.tsx";
export { openMigrationWizard } from "./migration-wizard/open-wizard.tsx";
