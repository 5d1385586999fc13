import { useState } from "react";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, Json, nameOf, Outcome } from "../components/basics.tsx";
import { stateColumn, Table, tagsColumn } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { moment, shown } from "../text.ts";

const USER_FIELDS = ["id", "name", "email", "active", "last_login", "tags"] as const;

/** What a rule says: lists do not have it. */
function RuleDetails({ id }: { readonly id: string }) {
  const { resources } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoad(`${id} ${isOpen}`, async () => (isOpen ? resources.accessManagement.info(id) : undefined));
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Rule</summary>
      {isOpen && (
        <Content of={loaded}>
          {(rule) => <Json value={rule && { targets: rule.targets, permissions: rule.permissions }} />}
        </Content>
      )}
    </details>
  );
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
            caption={countOf(rules.length, "rule")}
            rows={rules}
            rowKey={({ id }) => id}
            empty="The profile has no access rules: portal users see nothing."
            columns={[
              { title: "Name", cell: ({ id, name }) => nameOf(name, id) },
              stateColumn,
              {
                title: "Details",
                kind: "wide",
                cell: ({ id }) => <RuleDetails id={id} />,
              },
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
  const { resources, session } = useConsole();
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
            <Table
              caption={countOf(users.length, "portal user")}
              rows={users}
              rowKey={({ id }) => id}
              empty="The portal has no users."
              columns={[
                { title: "Name", cell: ({ id, name }) => nameOf(name, id) },
                { title: "Email", kind: "wide", cell: ({ email }) => shown(email, 200) },
                { title: "Password", kind: "code", cell: ({ email }) => passwordOf(email) },
                stateColumn,
                { title: "Last login", kind: "time", cell: (user) => moment(user.last_login) },
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
