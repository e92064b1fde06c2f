"""A chat with memory from Python, with nothing but its standard library: python3 chat.py [URL]"""
import json
import sys
import urllib.error
import urllib.request
import uuid

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:7333"


def call(path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, {"content-type": "application/json", **headers})
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        sys.exit(json.load(error)["detail"])  # what is wrong, and with which field


def chat(session, message):
    """One question, one answer; the service knows what was said before."""
    return json.load(call("/chat", {"session_id": session, "message": message}))


def stream(conversation, message):
    """The same, word by word: the events of a run as they come."""
    with call(f"/api/v1/conversations/{conversation}/runs", {"message": message}, accept="text/event-stream") as events:
        for line in events:
            if line.startswith(b"event: "):
                name = line[7:].strip()
            elif line.startswith(b"data: ") and name == b"text-delta":
                yield json.loads(line[6:])["text"]


def receipt(id):
    """What the model saw."""
    return json.load(call(f"/api/v1/receipts/{id}"))


if __name__ == "__main__":
    session = f"python-{uuid.uuid4()}"
    print(chat(session, "My cat is called Miso.")["response"])
    answer = chat(session, "What is my cat called?")
    print(answer["response"])
    print("".join(stream(session, "And what did I say about my cat?")))
    seen = receipt(answer["receipt_id"])["receipt"]["request"]
    print(f"the second answer saw {seen['messages']['sent']} of {seen['messages']['of']} messages")
