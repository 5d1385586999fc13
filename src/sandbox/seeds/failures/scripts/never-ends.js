// Is stopped when its time is over.
setInterval(() => console.log("Still waiting for the gateway"), 10_000);
