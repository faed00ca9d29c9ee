package org.terrace.hosts;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;

/** Hosts behind the system's own ssh, which leads to a server in this process, for tests. */
abstract class OverSsh {
  static final String NETWORK = "127.37";

  @TempDir Path folder;
  EmbeddedSsh server;
  Path cache;
  ProgramPaths programs;
  final List<String> progress = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/ssh")), "ssh (Debian: openssh-client) is missing");
    cache = folder.resolve("cache");
    Files.createDirectory(folder.resolve("logs"));
    server = new EmbeddedSsh(folder, cache);
    String archives = ArchivedClasses.in(folder);
    programs = new ProgramPaths(JavaCommand.program(), archives, archives, archives);
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** Has commands run by another shell, or by other words before it. */
  void restart(String... shell) throws Exception {
    server.close();
    server = new EmbeddedSsh(Files.createDirectory(folder.resolve("again")), cache, List.of(shell));
  }

  TrialHosts open(List<SshHost> hosts) {
    return open(server.command(), hosts);
  }

  TrialHosts open(List<String> command, List<SshHost> hosts) {
    TrialHosts.Setting setting =
        new TrialHosts.Setting(
            new Target.Ssh(command, hosts),
            NETWORK,
            List.of(
                new PlannedServer("web1", "web", NETWORK + ".1.1", 8080),
                new PlannedServer("app1", "app", NETWORK + ".2.1", 8080)),
            NETWORK + ".9.1",
            programs,
            folder.resolve("logs"));
    return TrialHosts.open(setting, TimeSource.system(), progress::add);
  }

  static SshHost host(String name, String java, String... servers) {
    return new SshHost(name, "127.0.0.1", "127.0.0.1", List.of(servers), java);
  }

  /** The files of the cache, each with the time at which it was written. */
  Map<Path, FileTime> cached() throws Exception {
    try (Stream<Path> files = Files.walk(cache)) {
      return files
          .filter(Files::isRegularFile)
          .collect(
              Collectors.toMap(
                  file -> file,
                  file -> {
                    try {
                      return Files.getLastModifiedTime(file);
                    } catch (java.io.IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  }));
    }
  }

  static boolean runs(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (java.io.IOException e) {
      return false;
    }
  }
}
