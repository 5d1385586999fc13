/** Runs one analysis on the built library; `REPORT` lines say what it was given. */
const [scenario = "", library = "", url = ""] = process.argv.slice(2);
const { Analysis, Resources } = await import(library);
const region = { api: url, sse: url };
const params = { token: "a-given-token", region };

const report = (value) => console.log(`REPORT ${JSON.stringify(value)}`);
const reportCall = ({ log, ...context }, data) => report({ log: typeof log, context, data });

const scenarios = {
  plain: () => new Analysis(reportCall),
  "with a log": () => new Analysis((context) => context.log("line", { a: 1 })),
  "async that fails": () => new Analysis(() => Promise.reject(new Error("boom"))),
  "that fails": () =>
    new Analysis(() => {
      throw new Error("boom");
    }),
  "started twice": () => {
    const analysis = new Analysis(reportCall, { ...params, autostart: false });
    report({ started: analysis.started });
    analysis.start();
    analysis.start();
    report({ started: analysis.started });
  },
  "with use": () => Analysis.use(async () => report(await Resources.devices.delete("d1")), params),
  external: () => {
    const analysis = new Analysis((context, data) => {
      reportCall(context, data);
      context.log("done");
      analysis.stop();
    }, params);
  },
  "external that fails": () => {
    let runs = 0;
    const analysis = new Analysis(async () => {
      runs += 1;
      if (runs === 2) analysis.stop();
      throw new Error(`boom ${runs}`);
    }, params);
  },
  "external that is unknown": () => new Analysis(reportCall, params),
};

scenarios[scenario]();
