import { screenColor } from "../kit/ask/terminal.ts";
import type { CommandContext } from "../kit/context.ts";
import { loadChalk } from "../kit/output/style.ts";

/** Modules of a code: true is dark. */
type Modules = readonly (readonly boolean[])[];

const QUIET_ZONE = 2;

/** Dark on light whatever the terminal's colours: both are set. One line holds two rows of modules. */
async function coloured(modules: Modules): Promise<string[]> {
  const chalk = await loadChalk();
  return pairs(modules).map((pair) =>
    pair
      .map(([top, bottom]) => chalk[top ? "black" : "whiteBright"][bottom ? "bgBlack" : "bgWhiteBright"]("▀"))
      .join(""),
  );
}

const blocks = { "11": " ", "10": "▄", "01": "▀", "00": "█" } as const;

/** Light modules are drawn, as most terminals are dark; `isInverted` is for light ones. */
function plain(modules: Modules, isInverted: boolean): string[] {
  return pairs(modules).map((pair) =>
    pair
      .map(([top, bottom]) => {
        const key = `${Number(top !== isInverted)}${Number(bottom !== isInverted)}`;
        return blocks[key as keyof typeof blocks];
      })
      .join(""),
  );
}

function ascii(modules: Modules, isInverted: boolean): string[] {
  return modules.map((row) => row.map((isDark) => (isDark === isInverted ? "##" : "  ")).join(""));
}

/** Each two rows, module by module; a missing last row is light. */
function pairs(modules: Modules): (readonly [boolean, boolean])[][] {
  return modules.flatMap((row, at) => {
    if (at % 2 === 1) return [];
    const below = modules[at + 1];
    return [row.map((isDark, column) => [isDark, below?.[column] ?? false] as const)];
  });
}

/** A QR code as lines of a terminal. */
export async function drawCode(ctx: CommandContext, text: string, isInverted: boolean): Promise<string> {
  const { encode } = await import("uqr");
  const modules = encode(text, { ecc: "M", border: QUIET_ZONE }).data;
  const isColoured = ctx.io.stdoutIsTerminal ? screenColor(ctx) : ctx.flags.color === "always";
  const lines = ctx.flags.ascii
    ? ascii(modules, isInverted)
    : isColoured && !isInverted
      ? await coloured(modules)
      : plain(modules, isInverted);
  return `${lines.join("\n")}\n`;
}

/** A QR code as an SVG document. */
export async function svgCode(text: string): Promise<string> {
  const { renderSVG } = await import("uqr");
  return `${renderSVG(text, { ecc: "M", border: QUIET_ZONE * 2 }).trim()}\n`;
}
