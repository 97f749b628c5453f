/** A button on every code block that copies its text. */
export function addCopyButtons(text: (name: string) => string): void {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = text('copy');
    button.addEventListener('click', () => void copyCode(figure, button, text));
    figure.querySelector('figcaption')?.append(button);
  }
}

async function copyCode(figure: Element, button: HTMLButtonElement, text: (name: string) => string): Promise<void> {
  await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '');
  button.textContent = text('copied');
  button.dataset.done = '';
  setTimeout(() => {
    button.textContent = text('copy');
    delete button.dataset.done;
  }, 2_000);
}
