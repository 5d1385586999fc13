/** An image that a page has found, and lets the drawing load. */
export interface LoadedImage {
  /** What the image is loaded from. */
  readonly href: string;
  /** Width of the image in pixels. Without its size, positions on the image are those on its box. */
  readonly width?: number;
  /** Height of the image in pixels. */
  readonly height?: number;
}

/** Which images are loaded, and from where. */
export type Images = (address: string) => LoadedImage | undefined;

const MAX_ADDRESS = 200_000;
const HARMLESS = /^(?:https:\/\/[^\s"'<>\\]+|data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+|\/(?!\/)[^\s"'<>\\]+)$/i;

/** Which images `images` allows: those of https and data addresses, or those that the page finds. */
export function imagesOf(wanted: boolean | Images | undefined): Images {
  const own = typeof wanted === "function" ? wanted : undefined;
  if (own !== undefined)
    return (address) => {
      const image = own(address);
      return image !== undefined && isHarmless(image.href) ? image : undefined;
    };
  return (address) =>
    wanted === true && /^(?:https|data):/i.test(address) && isHarmless(address)
      ? { href: address, ...sizeOf(address) }
      : undefined;
}

const isHarmless = (address: string): boolean => address.length <= MAX_ADDRESS && HARMLESS.test(address);

/** The size that the first bytes of a PNG or GIF in a data address have. */
function sizeOf(address: string): Pick<LoadedImage, "width" | "height"> {
  const [, type, start = ""] = /^data:image\/(png|gif);base64,([\w+/]{32})/i.exec(address) ?? [];
  if (type === undefined) return {};
  const bytes = Uint8Array.from(atob(start), (char) => char.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return type.toLowerCase() === "png"
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}
