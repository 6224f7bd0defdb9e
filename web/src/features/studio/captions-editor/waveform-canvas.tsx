import { useEffect, useRef } from 'react';
import { type Peaks, rangeBetween } from './waveform.ts';

interface Properties {
  readonly peaks: Peaks;
  /** The time at its left end. */
  readonly fromMs: number;
  readonly pixelsPerSecond: number;
  readonly width: number;
  readonly height: number;
}

/** The visible part of a waveform, in the colour of text. */
export function WaveformCanvas({ peaks, fromMs, pixelsPerSecond, width, height }: Properties) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const scale = window.devicePixelRatio;
    element.width = width * scale;
    element.height = height * scale;
    context.scale(scale, scale);
    context.fillStyle = getComputedStyle(element).color;
    const msPerPixel = 1000 / pixelsPerSecond;
    for (let x = 0; x < width; x += 1) {
      const at = fromMs + x * msPerPixel;
      const [low, high] = rangeBetween(peaks, at, at + msPerPixel);
      const top = (1 - high) * (height / 2);
      context.fillRect(x, top, 1, Math.max(1, (1 - low) * (height / 2) - top));
    }
  });
  return <canvas ref={canvas} className="absolute inset-0 text-muted" style={{ width, height }} />;
}
