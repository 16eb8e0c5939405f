// The contrast (WCAG) of every text of a page with what is behind it.
(() => {
  const { document, getComputedStyle } = globalThis;
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const colour =
      element === null
        ? "rgb(255, 255, 255)"
        : getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 ? ground(element.parentElement) : colour;
  };
  return [
    ...document.querySelectorAll(
      "h1, h2, h3, p, dt, dd, legend, label, summary, code, a, button",
    ),
  ].map((element) => {
    const both = [
      luminance(getComputedStyle(element).color),
      luminance(ground(element)),
    ];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  });
})();
