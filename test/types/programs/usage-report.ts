// Compares what a profile has used with what it may use.
import { type ProfileSummary, type ProfileWithLimit, Resources, type Summary } from "iotdeck";

type Service = "input" | "output" | "analysis" | "sms" | "email" | "data_records" | "run_users" | "file_storage";
const services: Service[] = [
  "input",
  "output",
  "analysis",
  "sms",
  "email",
  "data_records",
  "run_users",
  "file_storage",
];

export function percentages({ limit, limit_used: used }: ProfileSummary): Record<string, number> {
  return Object.fromEntries(services.map((name) => [name, Math.round((used[name] / limit[name]) * 100)]));
}

export async function nearLimit(profile: string, percent: number): Promise<string[]> {
  const summary = await Resources.profiles.summary(profile);
  const pushed: number = summary.limit_used.push_notification;
  console.log(
    `${pushed} messages pushed, ${summary.limit_used.tcore} core instances, ${summary.amount.device} devices`,
  );
  return Object.entries(percentages(summary)).flatMap(([name, part]) => (part >= percent ? [name] : []));
}

export const shares = (profiles: Summary["profiles"]): number[] => profiles.map((one) => one.limits.input);
export const nameOf = (profile: ProfileWithLimit): string => profile.name;
