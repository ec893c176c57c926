"""A client as programs write it without an SDK: a child process whose lines are read with asyncio's default limit.

The command of the server is in the arguments. Each line on stdin is a method and its parameters as JSON, each line on
stdout the length and the text of the answer, or what the reader said instead of giving it."""

import asyncio
import json
import sys


async def main(command):
    child = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    number = 0
    while asked := await asyncio.to_thread(sys.stdin.readline):
        method, params = json.loads(asked)
        number += 1
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        child.stdin.write(json.dumps(message).encode() + b"\n")
        await child.stdin.drain()
        try:
            # What the server says unasked is not waited for.
            while json.loads(line := await child.stdout.readline()).get("id") != number:
                pass
            answer = {"bytes": len(line) - 1, "message": json.loads(line)}
        except ValueError as error:
            answer = {"failed": str(error)}
        print(json.dumps(answer), flush=True)
    child.stdin.close()
    await child.wait()


asyncio.run(main(sys.argv[1:]))
