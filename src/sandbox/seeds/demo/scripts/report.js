const { TAGOIO_API, T_ANALYSIS_TOKEN, T_ANALYSIS_ENV } = process.env;

async function call(method, path, body) {
  const headers = { token: T_ANALYSIS_TOKEN, "content-type": "application/json" };
  const reply = await fetch(TAGOIO_API + path, { method, headers, body: body && JSON.stringify(body) });
  const { status, result, message } = await reply.json();
  if (!status) throw new Error(message);
  return result;
}

async function report() {
  const device = JSON.parse(T_ANALYSIS_ENV).find(({ key }) => key === "device").value;
  const [row] = await call("GET", "/device/" + device + "/data?variables=temperature&query=last_value");
  const text = "The freezer is at " + row.value + " degrees";
  console.log(text);
  await call("POST", "/analysis/services/email/send", { to: "demo@example.test", subject: "Daily report", message: text });
}

report();
