package signedin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.terrace.core.process.ChildProcess;

/**
 * Two servers on one machine, each a process at an address of its own. Yours have a machine each.
 */
final class Servers implements AutoCloseable {
  static final int COUNT = 2;
  private static final int WEB_PORT = 8080;

  private final String prefix;
  private final List<ChildProcess> servers = new ArrayList<>();

  /** Starts both, at loopback addresses with a prefix such as {@code 127.82.1}. */
  Servers(String prefix) throws IOException {
    this.prefix = prefix;
    try {
      for (int number = 1; number <= COUNT; number++) {
        servers.add(start(number));
      }
      for (ChildProcess server : servers) {
        server.awaitReady(); // or it is ended
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private String host(int number) {
    return prefix + "." + number;
  }

  /** The address at which visitors call a server, 1 or 2. */
  String url(int number) {
    return "http://" + host(number) + ":" + WEB_PORT;
  }

  /** The process of a server, 1 or 2. */
  Process process(int number) {
    return servers.get(number - 1).process();
  }

  /** Starts a server as a process that runs this program's Java and class path. */
  private ChildProcess start(int number) throws IOException {
    return ChildProcess.start(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Server.class.getName(),
                "--server.address=" + host(number),
                "--server.port=" + WEB_PORT,
                "--terrace.member=server" + number,
                "--terrace.address=" + host(number),
                "--terrace.contacts=" + host(1) + "," + host(2))
            .redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  @Override
  public void close() {
    servers.forEach(ChildProcess::kill);
  }

  /** Starts them, tells where they are, and ends them on Ctrl-C. */
  public static void main(String[] arguments) throws Exception {
    Servers servers = new Servers(arguments.length > 0 ? arguments[0] : "127.82.1");
    Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
    for (int number = 1; number <= COUNT; number++) {
      System.out.println(
          "server "
              + number
              + "  "
              + servers.url(number)
              + "/basket  pid "
              + servers.process(number).pid());
    }
    System.out.println("Visitors: ann, bob, cleo, dan; password: tea. Ctrl-C ends the servers.");
    new CountDownLatch(1).await();
  }
}
