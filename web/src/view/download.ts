// Hands a file that the page made to the reader, without a server.
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: some browsers read it only now.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A name for a file: "precision@10 of all lists" is precision-10-of-all-lists.
export const fileName = (title: string, extension: string): string =>
  `${title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "recmeter"}.${extension}`;
