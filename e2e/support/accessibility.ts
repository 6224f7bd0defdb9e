import type { Page } from 'playwright-core';

/**
 * Accessibility problems of a page, one sentence each. WCAG 2.2: 1.1.1, 1.3.1, 1.4.3, 1.4.10, 2.4.1, 2.4.2, 3.1.1,
 * 4.1.2. A page that is still loading gets 10 s for its first heading; without one, that is a problem.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const heading = page.locator('h1').filter({ visible: true }).first();
  await heading.waitFor({ timeout: 10_000 }).catch(() => undefined);
  return page.evaluate(CHECK);
}

/** Runs in the page; a string, because the browser's globals are not in this program's types. */
const CHECK = `(() => {
  const errors = [];
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const text = (element) => (element.innerText ?? '').trim();
  const name = (element) => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ');
    const labelled = ids.map((id) => document.getElementById(id)?.textContent ?? '').join('');
    const labels = [...(element.labels ?? [])].map(text).join('');
    const alt = [...element.querySelectorAll('img[alt]')].map((image) => image.alt).join('');
    return (element.getAttribute('aria-label') ?? '') + labelled + labels + text(element) + alt + (element.title ?? '');
  };
  if (!document.documentElement.lang) errors.push('The page states no language.');
  if (!document.title) errors.push('The page has no title.');
  if (all('h1').length !== 1) errors.push('The page has ' + all('h1').length + ' first headings.');
  if (!document.querySelector('main')) errors.push('The page has no main landmark.');
  if (!document.querySelector('a[href="#main"]')) errors.push('The page has no skip link.');
  const roles = '[role=slider], [role=progressbar]';
  const controls = 'button, a[href], input:not([type=hidden]), select, textarea, dialog, ' + roles;
  for (const element of all(controls))
    if (!element.closest('[aria-hidden=true]') && !name(element).trim())
      errors.push('No name: ' + element.outerHTML.slice(0, 120));
  for (const image of all('img')) if (!image.hasAttribute('alt')) errors.push('No alternative text: ' + image.src);
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  for (const id of new Set(ids))
    if (ids.filter((each) => each === id).length > 1) errors.push('Twice the same id: ' + id);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) errors.push('The page is ' + scrollWidth + ' wide in a window of ' + innerWidth + '.');

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) known.set(colour, drawn(colour));
    return known.get(colour);
  };
  const drawn = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const luminance = (colour) => {
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [0, 0, 0, 1]);
  };
  for (const element of all('main *, header *, footer *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest('[aria-hidden=true], .sr-only, :disabled, .player, .player-button, svg')) continue;
    const style = getComputedStyle(element);
    const under = behind(element);
    const levels = [luminance(over(rgba(style.color), under)), luminance(under)].sort((a, b) => b - a);
    const contrast = (levels[0] + 0.05) / (levels[1] + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5))
      errors.push('Contrast ' + contrast.toFixed(2) + ': ' + text(element).slice(0, 60));
  }
  return errors;
})()`;
