import type { CommandContext } from "../context.ts";
import { messageOf } from "../resource/batch.ts";

/** Opens an address or a file in the user's browser. */
export async function launchBrowser(address: string): Promise<void> {
  const { default: open } = await import("open");
  const browser = await open(address);
  // A browser that ends badly is no matter of ours.
  browser.on("error", () => undefined);
}

/** Opens an address in the user's browser. One that cannot be opened is a warning: the address was printed. */
export async function openInBrowser({ say }: CommandContext, address: string): Promise<void> {
  try {
    await launchBrowser(address);
  } catch (error) {
    say.warning(`Could not open a browser: ${messageOf(error)}`);
  }
}
