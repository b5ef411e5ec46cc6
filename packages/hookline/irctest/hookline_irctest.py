"""Lets irctest (https://github.com/progval/irctest) drive Hookline: one server for each test, each with a home of its own.

docs/conformance.md tells how to run it. HOOKLINE_NODE names the node to run, if it is not the first in PATH.
"""

import base64
import copy
import hashlib
import json
import os
from pathlib import Path
import secrets
import shutil

from irctest import patma
from irctest.basecontrollers import BaseServerController, DirectoryBasedController
from irctest.runner import NotImplementedByController
from irctest.specifications import Capabilities, OptionalBehaviors

SERVER = Path(__file__).resolve().parents[1] / "bin" / "hookline.js"
HOST = "127.0.0.1"
# `REGISTER * * <password>` is one line.
LONGEST_PASSWORD = 480


def phc(password):
    """A password as server.yaml has it, made quickly."""
    salt = secrets.token_bytes(16)
    key = hashlib.scrypt(password.encode(), salt=salt, n=16, r=8, p=1, dklen=32)
    coded = [base64.b64encode(part).decode().rstrip("=") for part in (salt, key)]
    return f"$scrypt$ln=4,r=8,p=1${coded[0]}${coded[1]}"


def ergo_shape(port):
    """What the suite's `ergo_config` hooks edit: the few settings of Ergo's file that they name."""
    return {
        "server": {"casemapping": "ascii", "listeners": {f"{HOST}:{port}": None}},
        "accounts": {"default-user-modes": "", "multiclient": {"always-on": "opt-in"}},
        "history": {"znc-maxmessages": 100},
    }


class HooklineController(BaseServerController, DirectoryBasedController):
    software_name = "hookline"
    nickserv = "NickServ"
    extban_mute_char = "m"
    supports_sts = False
    supported_sasl_mechanisms = {"PLAIN", "SCRAM-SHA-256"}
    # What is claimed here and missing is a failure, not a skip.
    capabilities = frozenset(Capabilities)
    # A server that says UTF8ONLY takes nothing else.
    optional_behaviors = frozenset(OptionalBehaviors) - {OptionalBehaviors.NON_UTF8_MESSAGE}
    # The tokens of 005 that the suite's tests go by.
    isupport = {
        "ACCOUNTEXTBAN": patma.ANYSTR,
        "BOT": "B",
        "CASEMAPPING": "ascii",
        "CHANTYPES": "#",
        "CHATHISTORY": "100",
        "ELIST": "CMNTU",
        "EXCEPTS": patma.Either(None, "e"),
        "EXTBAN": patma.StrRe(",.*m.*"),
        "INVEX": patma.Either(None, "I"),
        "MONITOR": "100",
        "MSGREFTYPES": "msgid,timestamp",
        "NETWORK": "testnet",
        "NICKLEN": "32",
        "PREFIX": "(qaohv)~&@%+",
        "STATUSMSG": "~&@%+",
        "TARGMAX": patma.ANYSTR,
        "UTF8ONLY": None,
        "WHOX": None,
    }
    _port_wait_interval = 0.02

    def run(
        self,
        hostname,
        port,
        *,
        password,
        ssl,
        run_services,
        faketime,
        websocket_hostname=None,
        websocket_port=None,
    ):
        if self.test_config.sable_history_server:
            raise NotImplementedByController("another server's history")
        self.hostname = hostname
        self.port = port
        self.create_config()
        self._websocket_port = websocket_port
        self._password = password
        self._keys = None
        if ssl:
            self.gen_ssl()
            self._keys = {"cert": str(self.pem_path), "key": str(self.key_path)}
        self._fake = []
        if faketime is not None and shutil.which("faketime"):
            self._fake = ["faketime", "-f", faketime]
            self.faketime_enabled = True

        self._shape = ergo_shape(port)
        if self.test_config.ergo_config is not None:
            self.test_config.ergo_config(self._shape)
        self._write()
        self._start()

    def _write(self):
        # JSON is YAML.
        with self.open_file("server.yaml", "w") as file:
            json.dump(self._settings(), file)

    def _settings(self):
        asked = self.test_config
        listener = {"host": HOST, "port": self.port}
        if self._keys:
            listener["tls"] = self._keys
        listeners = [listener]
        if self._websocket_port is not None:
            listeners.append({**listener, "port": self._websocket_port, "websocket": True})
        for each in self._shape["server"]["listeners"].values():
            if each and each.get("proxy"):
                listener["proxy_protocol"] = "required"
        return {
            "server": {
                "name": "My.Little.Server",
                "network": "testnet",
                "description": "test server",
                "password_hash": phc(self._password) if self._password else None,
                "casemapping": self._shape["server"]["casemapping"],
                "default_user_modes": self._shape["accounts"]["default-user-modes"],
                "trusted_proxies": [HOST],
            },
            "listeners": listeners,
            "logging": {"level": "error"},
            "limits": {
                "flood_protection": False,
                "connections_per_address": 1000,
                "connections_per_ten_minutes": 100000,
            },
            "accounts": {
                "sasl_mechanisms": ["PLAIN", "SCRAM-SHA-256"],
                "password_cost": 4,
                "always_on": self._shape["accounts"]["multiclient"]["always-on"].replace("-", "_"),
                "registration": {
                    "before_connect": asked.account_registration_before_connect,
                    "email_required": asked.account_registration_requires_email,
                },
            },
            "history": {
                "playback_limit": self._shape["history"]["znc-maxmessages"],
                "tagmsg_whitelist": ["+draft/persist", "+persist"],
            },
            "metadata": {"before_connect": True, "max_value_bytes": 480},
            "roleplay": {"enabled": asked.ergo_roleplay},
            "opers": [
                {
                    "name": "operuser",
                    "password_hash": phc("operpassword"),
                    "title": "is a server admin",
                    "privileges": ["all"],
                }
            ],
            "webhooks": {"enabled": False},
        }

    def _start(self):
        node = os.environ.get("HOOKLINE_NODE", "node")
        command = [node, str(SERVER), "server", "start", "--config", str(self.directory / "server.yaml")]
        home = f"HOOKLINE_HOME={self.directory / 'home'}"
        self.proc = self.execute(["env", home, *self._fake, *command], proc_name="hookline")

    def restart(self):
        self.kill_proc()
        self.port_open = False
        self._start()
        self.wait_for_port()

    def wait_for_services(self):
        """They are part of the server."""
        self.wait_for_port()

    def registerUser(self, case, username, password=None):
        if len((password or "").encode()) > LONGEST_PASSWORD:
            raise NotImplementedByController("a password longer than a line")
        client = case.addClient(show_io=False)
        for line in ("CAP LS 302", f"NICK {username}", f"USER {username} 0 * :{username}", "CAP END"):
            case.sendLine(client, line)
        case.skipToWelcome(client)
        case.getMessages(client)
        case.sendLine(client, f"REGISTER * * {password}")
        answers = [message.params[:2] for message in case.getMessages(client) if message.command == "REGISTER"]
        assert answers == [["SUCCESS", username]], answers
        case.sendLine(client, "QUIT")
        case.assertDisconnected(client)

    def getConfig(self):
        return copy.deepcopy(self._shape)

    def rehash(self, case, config):
        self._shape = config
        self._write()
        case.connectClient(nick="rehasher", name="rehasher")
        for line in ("OPER operuser operpassword", "REHASH"):
            case.sendLine("rehasher", line)
            case.getMessages("rehasher")
        case.sendLine("rehasher", "QUIT")
        case.assertDisconnected("rehasher")


def get_irctest_controller_class():
    return HooklineController
