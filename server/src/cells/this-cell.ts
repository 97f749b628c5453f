/**
 * The tag of the cell whose database this process uses, or null in an installation without cells. Process-wide, because
 * every new token and reference number contains it, and a process never serves two cells.
 */
let tag: string | null = null;

/** Called once, when the process has read its settings. */
export function setThisCell(cell: string | null): void {
  tag = cell;
}

export const thisCell = (): string | null => tag;
