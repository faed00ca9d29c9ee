package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Programs of the system that Terrace uses where they are installed. Stateless. */
final class ProgramChecks {
  private static final String DATABASE = "the database tier";
  private static final List<String> ACCOUNTS = List.of("postgres", "nobody");
  private static final List<String> USER_CHANGERS = List.of("setpriv", "runuser", "su");
  private static final List<Path> LOADERS =
      List.of(Path.of("/lib64/ld-linux-x86-64.so.2"), Path.of("/lib/ld-linux-aarch64.so.1"));

  private ProgramChecks() {}

  static List<Callable<MachineCheck>> all() {
    return List.of(
        ProgramChecks::unprivilegedUser,
        ProgramChecks::postgres,
        () -> program("tcpdump", "capturing without the built-in ring", "tcpdump"),
        () -> program("dumpcap", "capturing without the built-in ring", "wireshark-common"),
        () -> program("tshark", "comparing decoders with Wireshark's, and bench wire", "tshark"),
        () -> program("nft", "faults of the network: syn-drop, cut, loss, bandwidth", "nftables"),
        () -> program("ip", "servers in network namespaces (--target namespaces)", "iproute2"),
        () -> program("ssh", "servers on other hosts (--target ssh)", "openssh-client"),
        () -> program("redis-server", "Redis as a peer in bench collections", "redis-server"),
        () -> program("apache2", "Apache httpd as web server (web: apache)", "apache2", "httpd"),
        () ->
            program(
                "chromium",
                "clicking through pages and reports in tests",
                "chromium",
                "chromium-browser",
                "google-chrome"));
  }

  private static MachineCheck program(
      String name, String goodFor, String packageName, String... otherNames) {
    return Stream.concat(Stream.of(name), Stream.of(otherNames))
        .flatMap(each -> find(each).stream())
        .findFirst()
        .map(file -> MachineCheck.present(name, file.toString(), goodFor))
        .orElseGet(() ->
            MachineCheck.optional(
                name,
                "not installed",
                goodFor,
                Optional.of("sudo apt-get install " + packageName)));
  }

  /** PostgreSQL refuses to run as root, so root needs an account and a program to change to it. */
  private static MachineCheck unprivilegedUser() throws IOException {
    String name = "unprivileged user";
    if (!isRoot()) {
      return MachineCheck.present(name, System.getProperty("user.name"), DATABASE);
    }
    List<String> accounts;
    try (Stream<String> lines = Files.lines(Path.of("/etc/passwd"))) {
      accounts = lines.map(line -> line.split(":", 2)[0]).toList();
    }
    Optional<String> account = ACCOUNTS.stream().filter(accounts::contains).findFirst();
    Optional<Path> changer =
        USER_CHANGERS.stream().flatMap(each -> find(each).stream()).findFirst();
    if (account.isEmpty()) {
      return MachineCheck.required(
          name,
          "this is root, and there is neither a user postgres nor nobody to drop to",
          DATABASE,
          Optional.of("useradd --system postgres"));
    }
    if (changer.isEmpty()) {
      return MachineCheck.required(
          name,
          "this is root, and none of setpriv, runuser and su is installed to drop to "
              + account.get(),
          DATABASE,
          Optional.of("apt-get install util-linux"));
    }
    return MachineCheck.present(
        name, "root drops to %s by %s".formatted(account.get(), changer.get()), DATABASE);
  }

  private static MachineCheck postgres() {
    String architecture = System.getProperty("os.arch", "");
    String archive =
        "postgres-linux-%s.txz".formatted(architecture.equals("amd64") ? "x86_64" : architecture);
    String name = "PostgreSQL binaries";
    if (LOADERS.stream().noneMatch(Files::exists)) {
      return MachineCheck.required(
          name,
          "they need the GNU C library, and this system has another",
          DATABASE,
          Optional.empty());
    }
    if (ProgramChecks.class.getClassLoader().getResource(archive) == null) {
      return MachineCheck.required(
          name, "%s is not on the class path".formatted(archive), DATABASE, Optional.of("./build"));
    }
    return MachineCheck.present(name, archive + " and the GNU C library", DATABASE);
  }

  private static boolean isRoot() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines.anyMatch(line -> line.startsWith("Uid:\t0\t"));
    }
  }

  /** Along the path, and where system programs lie that an ordinary user's path leaves out. */
  private static Optional<Path> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Stream.of(path.split(":", -1)).filter(folder -> !folder.isEmpty()),
            Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin"))
        .map(folder -> Path.of(folder, program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
