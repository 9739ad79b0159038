# SPDX-License-Identifier: Apache-2.0
"""``docs``: write the documents; with --serve, show them in a browser while it runs."""

from __future__ import annotations

import functools
import os
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..ir import Span
from .generate import check, generate
from .session import OK, Session


def docs(session: Session) -> int:
    """Write the documents, or tell whether they are current.

    With --serve, show their directory on this machine until interrupted.
    """
    if session.args.check:
        return check(session)
    status = generate(session)
    if status != OK or session.args.serve is None:
        return status
    folder = os.path.join(session.config.root, session.config.docs_root)
    try:
        server = server_of(folder, session.args.serve)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        text = f"port {session.args.serve} cannot be served: {reason}"
        session.bag.add("TS118", text, Span("."), help="name another port, or 0 for any")
        session.show()
        return session.status()
    with server:
        session.say(f"http://127.0.0.1:{server.server_address[1]}/ until Ctrl-C")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
    return OK


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line on standard error for each."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


def server_of(folder: str, port: int) -> ThreadingHTTPServer:
    """Return a server of one directory, which only this machine can reach.

    Raises
    ------
    OSError
        If the port is taken, or not allowed.

    """
    handler = functools.partial(_Quiet, directory=folder)
    return ThreadingHTTPServer(("127.0.0.1", port), handler)
