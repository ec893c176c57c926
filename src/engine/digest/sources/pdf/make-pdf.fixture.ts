import PdfWriter from "pdfkit";

/** What a page of a test PDF shows: paragraphs, a picture and nothing else, or whatever is drawn. */
export type PdfPageContent =
  | string
  | { readonly image: true }
  | { readonly draw: (document: PDFKit.PDFDocument) => void };

interface PdfMaking {
  readonly title?: string;
  readonly compress?: boolean;
  readonly password?: string;
}

// One dark pixel.
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function fill(document: PDFKit.PDFDocument, content: PdfPageContent): void {
  if (typeof content === "string") document.text(content);
  else if ("image" in content) document.image(PICTURE, 72, 72, { width: 300, height: 300 });
  else content.draw(document);
}

/** A real PDF. A page of text is one page as long as its text fits on it. */
export function makePdf(
  pages: readonly PdfPageContent[],
  { title, compress = true, password }: PdfMaking = {},
): Promise<Uint8Array> {
  const document = new PdfWriter({
    autoFirstPage: false,
    compress,
    info: { CreationDate: new Date(0), ...(title === undefined ? {} : { Title: title }) },
    ...(password === undefined ? {} : { userPassword: password }),
  });
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    document.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    document.on("error", reject);
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    for (const page of pages) {
      document.addPage();
      document.fontSize(11);
      fill(document, page);
    }
    document.end();
  });
}
