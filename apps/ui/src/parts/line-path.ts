/**
 * The path of a line in a box that is one unit high and as many wide as there are points. It is interrupted where nothing was
 * measured; a point without neighbours is drawn as a short dash. Values above the axis follow its upper edge.
 */
export function pathOfLine(points: readonly { line?: number | null }[], top: number): string {
  const height = (value: number) => round(1 - Math.min(value / top, 1));
  return points
    .flatMap(({ line }, index) => {
      if (line === undefined || line === null) return [];
      const at = height(line);
      if (typeof points[index - 1]?.line === 'number') return [`L${index + 0.5} ${at}`];
      const isAlone = typeof points[index + 1]?.line !== 'number';
      return isAlone ? [`M${index + 0.3} ${at}`, `L${index + 0.7} ${at}`] : [`M${index + 0.5} ${at}`];
    })
    .join('');
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;
