import { useMemo } from "react";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { Content, Heading, nameOf, Select } from "../components/basics.tsx";
import { PageFrame, useTheme } from "../components/page-frame.tsx";
import { useConsole, useLoad } from "../hooks.ts";
import { dashboardProtocol, themeMessage } from "../pages/dashboard-protocol.ts";
import { href, useParam, type ViewProps } from "../router.ts";
import { shown } from "../text.ts";
import { useViewer } from "./viewer.tsx";

const MAX_CHOICES = 200;

/** A file as a custom dashboard: a page that runs stored queries as whoever looks. */
export function PageView({ route }: ViewProps) {
  const path = route.parts[1] ?? "";
  const { resources, session } = useConsole();
  const [as, setAs] = useParam("as");
  const viewer = useViewer(as);
  const users = useLoad("users", () => resources.run.listUsers({ amount: MAX_CHOICES, fields: ["id", "name"] }));
  const theme = useTheme();
  const news = useMemo(() => themeMessage(theme), [theme]);
  const choices = (users.data ?? []).map(({ id, name }) => [id, nameOf(name, id)] as const);
  return (
    <>
      <p>
        <a href={href(["files"])}>All files</a>
      </p>
      <Heading title={shown(path, 200)} about="A custom dashboard: its page runs stored queries as the viewer." />
      <div className="tools">
        <Select label="Viewer" value={as} onChange={setAs} options={[["", "The profile"], ...choices]} />
      </div>
      <Content of={viewer}>
        {({ resources: { sql } }) => (
          <div className="page">
            <PageFrame
              profile={session.profileId}
              path={path}
              viewer={as}
              title={shown(path, 200)}
              news={news}
              protocol={dashboardProtocol(
                {
                  list: () => sql.list({ amount: ALL_ROWS_AMOUNT, fields: ["id", "name"] }),
                  run: (id, params) => sql.execute(id, params.length === 0 ? {} : { params: [...params] }),
                },
                () => theme,
              )}
            />
          </div>
        )}
      </Content>
    </>
  );
}
