# wrap.awk - a dump as a log has it, line by line.
#
#     awk -v form=docker -f tests/bench/wrap.awk DUMP >LOG
#
# form is docker (json-file), cri, timestamps (kubectl logs --timestamps),
# compose, journald (journalctl's short form) or pods (kubectl logs --prefix).
# Times move on by 25 microseconds a line and keep their length.

function second() {
    return sprintf("%02d", int(NR / 40000) % 60)
}

function time() {
    return sprintf("2026-11-20T14:02:%s.%09dZ", second(),
        NR % 40000 * 25000)
}

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/\t/, "\\t", text)
    gsub(/</, "\\u003c", text)
    gsub(/>/, "\\u003e", text)
    gsub(/&/, "\\u0026", text)
    return text
}

form == "docker" {
    printf "{\"log\":\"%s\\n\",\"stream\":\"stderr\",\"time\":\"%s\"}\n",
        quoted($0), time()
}
form == "cri" { print time() " stderr F " $0 }
form == "timestamps" { print time() " " $0 }
form == "compose" { print "web-1     | " $0 }
form == "journald" { print "Nov 20 14:02:" second() " node-3 shopd[24117]: " $0 }
form == "pods" { print "[pod/api-7d9c5-x2x4k/app] " $0 }
