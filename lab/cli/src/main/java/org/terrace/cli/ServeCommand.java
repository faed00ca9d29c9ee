package org.terrace.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.Dashboard;
import org.terrace.dashboard.DashboardOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace serve}: the results below a directory in a browser. */
@Command(
    name = "serve",
    description = {
      "Shows all results below a directory in a browser, and what runs there.",
      "Experiments, analyses, studies and meshes: their reports, two of them compared, a mesh under",
      "other prices, the packets of a stall. It reads, and changes nothing."
    },
    footer = {
      "",
      "Examples:",
      "  terrace serve out",
      "  terrace serve out --port 0",
      "  (umask 077; head -c 24 /dev/urandom | base64 >token)",
      "  terrace serve out --host 192.0.2.7 --token token",
      "",
      "It listens on loopback, where every user of this machine may look; with --token they have",
      "to sign in. Beyond loopback a token is demanded, and travels in the clear: put a proxy with",
      "TLS in front, or leave it on loopback and use ssh -L. Ctrl-C ends it.",
      "Exit codes: 0 ended by Ctrl-C; 2 bad input; 3 the port is taken."
    })
final class ServeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "a directory with results, or a result itself")
  private Path directory = Path.of("");

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + DashboardOptions.PORT,
      description = "the port, 0 for any that is free; default: ${DEFAULT-VALUE}")
  private int port = DashboardOptions.PORT;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = DashboardOptions.LOOPBACK,
      description = "where it listens; default: ${DEFAULT-VALUE}")
  private String host = DashboardOptions.LOOPBACK;

  @Option(
      names = "--token",
      paramLabel = "FILE",
      description = "a file with the token that lets people in, which others may not read")
  private @Nullable Path token;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    DashboardOptions options =
        new DashboardOptions(directory, host, port, Optional.ofNullable(token));
    CountDownLatch ended = new CountDownLatch(1);
    try (Dashboard dashboard = Dashboard.start(options, TimeSource.system())) {
      Terrace.endInputOnInterrupt(ended::countDown);
      System.out.println(dashboard.address());
      System.out.flush();
      console.message("Serving the results in %s; Ctrl-C ends it.", directory);
      if (token != null) {
        console.message("Sign in with what %s holds.", token);
      }
      ended.await();
    }
    return 0;
  }
}
