console.log("Reading the settings");
const settings = JSON.parse("{ \"limit\": }");
console.log(settings.limit);
