// Converts the widgets of a dashboard.
import { Migration, type Resources, type WidgetInfo } from "iotdeck";

export async function migrate(resources: Resources, dashboard: string): Promise<string[]> {
  const { arrangement = [] } = await resources.dashboards.info(dashboard);
  const types: string[] = [];
  for (const { widget_id } of arrangement) {
    const widget = await resources.dashboards.widgets.info(dashboard, widget_id);
    if (!Migration.isOldStructure(widget) || !Migration.hasMigrate(widget)) continue;
    const converted: WidgetInfo = Migration.convertWidget(widget);
    types.push(converted.type, Migration.convertWidget(widget).label);
    await resources.dashboards.widgets.edit(dashboard, widget_id, converted);
  }
  return types;
}
