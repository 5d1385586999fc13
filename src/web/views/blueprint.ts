import type { DashboardInfo, Resources } from "../../index.ts";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { firstDevices } from "../../lib/widgets/draw/page.ts";
import { useLoad } from "../hooks.ts";

interface CandidateDevice {
  readonly id: string;
  readonly name: string;
  readonly tags: unknown;
}

interface BlueprintDevices {
  /** Those that its placeholders may stand for; none for a dashboard that is no blueprint. */
  readonly devices: readonly CandidateDevice[];
  /** By placeholder, the id of the device that is shown before one is chosen. */
  readonly first: Readonly<Record<string, string>>;
}

/** The devices of a blueprint. */
export function useBlueprint(dashboard: DashboardInfo, resources: Resources | undefined): BlueprintDevices {
  const isBlueprint = dashboard.type === "blueprint";
  const loaded = useLoad(`${dashboard.id} ${isBlueprint}`, async () =>
    isBlueprint ? resources?.devices.list({ amount: MAX_LIST_AMOUNT, fields: ["id", "name", "tags"] }) : [],
  );
  const devices = loaded.data ?? [];
  return { devices, first: firstDevices(dashboard, devices) };
}
