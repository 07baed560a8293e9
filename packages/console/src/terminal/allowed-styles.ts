// The emulator makes its styles by itself, and the page's policy allows none inside of it. Sheets that are adopted and styles that
// are set by script are no part of the page, and do the same.

// oxlint-disable-next-line typescript/unbound-method -- it is called with an element below
const { setAttribute } = Element.prototype;

/** Let styles be set as attributes are, for all of the page: the policy forbids the attribute, and not the style. */
export function allowStyles(): void {
  Element.prototype.setAttribute = function set(this: Element, name: string, value: string): void {
    if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}

/** Do something during which scripts that ask the document for style elements get such as are allowed. */
export function withStyles(work: () => void): void {
  const make = document.createElement.bind(document);
  document.createElement = (name: string): HTMLElement =>
    name === 'style' ? adoptedStyle(make('template')) : make(name);
  try {
    work();
  } finally {
    // The one of its prototype is there again.
    Reflect.deleteProperty(document, 'createElement');
  }
}

/** In the place of a style element: what is written into it becomes a sheet of the page until it is removed. */
function adoptedStyle(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, 'textContent', {
    set: (css: string) => {
      sheet.replaceSync(css);
    },
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}
