/** First row to draw so that the selected one can be seen. */
export function firstVisible(selected: number, height: number): number {
  return Math.max(0, selected - Math.max(1, height) + 1);
}
