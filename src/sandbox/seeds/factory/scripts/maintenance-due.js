// Names the lathes that vibrate more than the limit.
const { TAGOIO_API, T_ANALYSIS_TOKEN, T_ANALYSIS_ENV } = process.env;
const setting = (name) => JSON.parse(T_ANALYSIS_ENV).find(({ key }) => key === name).value;

async function call(method, path, body) {
  const headers = { token: T_ANALYSIS_TOKEN, "content-type": "application/json" };
  const reply = await fetch(TAGOIO_API + path, { method, headers, body: body && JSON.stringify(body) });
  const { status, result, message } = await reply.json();
  if (!status) throw new Error(message);
  return result;
}

async function check() {
  const limit = Number(setting("limit_mm_s"));
  const filter = "filter[tags][0][key]=kind&filter[tags][0][value]=lathe&fields[0]=id&fields[1]=name";
  for (const { id, name } of await call("GET", `/device?amount=100&${filter}`)) {
    const average = await call("GET", `/device/${id}/data?variables=vibration&query=avg&start_date=1 day`);
    if (average > limit) console.log(`${name} is due: ${average.toFixed(2)} mm/s`);
  }
  console.log("All lathes were checked");
}

check();
