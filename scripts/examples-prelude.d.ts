/** What the examples in the docstrings take as given: objects that are ready to use, and the ids of what they name. */

declare const resources: import("iotdeck").Resources;
declare const account: import("iotdeck").Account;
declare const device: import("iotdeck").Device;
declare const network: import("iotdeck").Network;
declare const user: import("iotdeck").RunUser;
declare const dictionary: import("iotdeck").Dictionary;
declare const services: import("iotdeck").Services;
/** What an analysis is called with, and a router made of it. */
declare const context: import("iotdeck").AnalysisContext;
declare const scope: import("iotdeck").ScopeRow[];
declare const router: import("iotdeck").AnalysisRouter;

declare const token: string;
declare const accessID: string;
declare const actionID: string;
declare const analysisID: string;
declare const connectorID: string;
declare const coreID: string;
declare const dashboardID: string;
declare const deviceID: string;
declare const dictionaryID: string;
declare const entityID: string;
declare const networkID: string;
declare const notificationID: string;
declare const profileID: string;
declare const recordID: string;
declare const rowID: string;
declare const sqlID: string;
declare const userID: string;
declare const widgetID: string;
