import { textDigest } from "../../kit/state/digest.ts";

/**
 * The member that a device belongs to, by rendezvous hashing: all members agree without a word, and when one comes or
 * goes only its devices move.
 */
export function ownerAmong(members: readonly string[], device: string): string | undefined {
  let owner: string | undefined;
  let most = "";
  for (const member of members) {
    const weight = textDigest(`${member} ${device}`);
    if (weight > most) [owner, most] = [member, weight];
  }
  return owner;
}
