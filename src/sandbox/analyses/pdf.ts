/** A4 in points. */
const WIDTH = 595;
const HEIGHT = 842;
const LINE_CHARS = 90;
const MAX_LINES = 55;

/** Visible text of a page, without markup. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replaceAll(/<(br|\/p|\/div|\/h\d|\/tr|\/li)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&nbsp;/gi, " ")
    .replaceAll(/&lt;/gi, "<")
    .replaceAll(/&gt;/gi, ">")
    .replaceAll(/&amp;/gi, "&");
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replaceAll(/\s+/g, " ").trim());
  const pieces = lines.flatMap((line) => line.match(new RegExp(`.{1,${LINE_CHARS}}`, "gu")) ?? []);
  return pieces.slice(0, MAX_LINES);
}

/** Text of a content stream: Latin-1, with its special characters escaped. */
function escaped(line: string): string {
  return line.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "?").replaceAll(/[\\()]/g, (mark) => `\\${mark}`);
}

/** A valid one-page PDF that shows the text of a page, without its layout. */
export function makePdf(html: string): Buffer {
  const shown = linesOf(textOf(html)).map((line) => `(${escaped(line)}) Tj T*`);
  const content = `BT /F1 11 Tf 14 TL 50 ${HEIGHT - 60} Td\n${shown.join("\n")}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let body = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
  const places: number[] = [];
  objects.forEach((object, index) => {
    places.push(Buffer.byteLength(body, "latin1"));
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const start = Buffer.byteLength(body, "latin1");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body + end, "latin1");
}
