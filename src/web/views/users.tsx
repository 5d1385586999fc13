import type { UserInfo } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, Json, nameOf, Outcome, tagTexts } from "../components/basics.tsx";
import { Empty } from "../components/empty.tsx";
import { SearchTable, stateColumn, Table, tagsColumn } from "../components/table.tsx";
import { Ago } from "../components/time.tsx";
import { useConsole, useDoing, useLiveReload, useLoad, useSandbox } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { msOf, shown } from "../text.ts";

type User = Pick<UserInfo, "id" | "name" | "email" | "tags">;
const nameIn = ({ id, name }: { readonly id: string; readonly name: string }) => nameOf(name, id);
const emailIn = ({ email }: User) => shown(email, 200);
const words = ({ id, name, email, tags }: User) => [id, name, email, ...tagTexts(tags)];
const USER_FIELDS = ["id", "name", "email", "active", "last_login", "tags"] as const;

/** What a rule says: lists do not have it. */
function RuleDetails({ id }: { readonly id: string }) {
  const { resources } = useConsole();
  const loaded = useLoad(id, () => resources.accessManagement.info(id));
  return <Content of={loaded}>{({ targets, permissions }) => <Json value={{ targets, permissions }} />}</Content>;
}

function AccessRules() {
  const { resources } = useConsole();
  const loaded = useLoad("rules", () =>
    resources.accessManagement.list({
      amount: ALL_ROWS_AMOUNT,
      fields: ["id", "name", "active"],
      orderBy: ["name", "asc"],
    }),
  );
  useLiveReload(loaded.reload, (event) => isChange(event, "am"));
  const doing = useDoing(loaded.reload);
  const switchTo = (id: string, active: boolean): void =>
    doing.act(
      () => resources.accessManagement.edit(id, { active }),
      active ? "The rule is active" : "The rule is inactive",
    );
  return (
    <section>
      <h2>Access rules</h2>
      <Outcome doing={doing} />
      <Content of={loaded}>
        {(rules) => (
          <Table
            name="rules"
            caption={countOf(rules.length, "rule")}
            rows={rules}
            rowKey={({ id }) => id}
            empty={
              <Empty of="access rules" command="iot access create">
                <p>Without one, portal users see nothing.</p>
              </Empty>
            }
            detail={({ id }) => <RuleDetails id={id} />}
            columns={[
              { title: "Name", cell: nameIn, sort: nameIn },
              stateColumn,
              {
                title: "Actions",
                kind: "actions",
                cell: ({ id, active }) => (
                  <button type="button" disabled={doing.isBusy} onClick={() => switchTo(id, !active)}>
                    {active ? "Disable" : "Enable"}
                  </button>
                ),
              },
            ]}
          />
        )}
      </Content>
    </section>
  );
}

export function UsersView() {
  const { resources } = useConsole();
  const session = useSandbox();
  const loaded = useLoad("users", () =>
    resources.run.listUsers({ amount: ALL_ROWS_AMOUNT, fields: [...USER_FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(loaded.reload, (event) => isChange(event, "run_user"));
  const passwordOf = (email: unknown): string => session.logins.find((login) => login.email === email)?.password ?? "";
  return (
    <>
      <Heading title="Users and access" about="Users of the portal, and the rules for what they may see." />
      <section>
        <h2>Portal users</h2>
        <Content of={loaded}>
          {(users) => (
            <SearchTable
              unit={["portal user", "portal users"]}
              label="Search name, email or tag"
              words={words}
              rows={users}
              rowKey={({ id }) => id}
              empty={<Empty of="portal users" command="iot run user create" />}
              columns={[
                { title: "Name", cell: nameIn, sort: nameIn },
                { title: "Email", kind: "wide", cell: emailIn, sort: emailIn },
                { title: "Password", kind: "id", cell: ({ email }) => passwordOf(email) },
                stateColumn,
                {
                  title: "Last login",
                  kind: "time",
                  cell: (user) => <Ago at={user.last_login} />,
                  sort: (user) => msOf(user.last_login),
                },
                tagsColumn,
                {
                  title: "Actions",
                  kind: "actions",
                  cell: ({ id, name }) => (
                    <a href={href(["dashboards"], { as: id })} aria-label={`Dashboards as ${nameOf(name, id)}`}>
                      Dashboards
                    </a>
                  ),
                },
              ]}
            />
          )}
        </Content>
      </section>
      <AccessRules />
    </>
  );
}
