console.log("Hello from the sandbox");
