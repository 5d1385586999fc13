/** DNS records a custom domain must have. The sandbox makes no DNS queries, so none ever counts as verified. */
export function domainRecords(host: string, mark: string): Record<string, unknown> {
  const record = (key: string, value: string) => ({ status: false, type: "CNAME", key, value, current_value: "" });
  return {
    dns_ssl: record(`_acme-challenge.${host}`, `${mark}.ssl.example.test`),
    dns_page: record(host, "portal.example.test"),
    dns_email_1: record(`em.${host}`, `${mark}.mail.example.test`),
    dns_email_2: record(`s1._domainkey.${host}`, `${mark}.key1.example.test`),
    dns_email_3: record(`s2._domainkey.${host}`, `${mark}.key2.example.test`),
  };
}
