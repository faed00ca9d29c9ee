package org.terrace.control.naming;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.terrace.control.ControlSecret;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/**
 * The naming service as a process of its own.
 *
 * <pre>{@code
 * java ... org.terrace.control.naming.NamingProcess
 *     --listen 127.0.0.1:7401 --peers 127.0.0.1:7402,127.0.0.1:7403 --directory names1
 * }</pre>
 *
 * With {@code --secret-file FILE} only those who have the secret in it are talked to; without, the
 * address is one of loopback. It prints {@code ready naming HOST:PORT} on standard output, and ends
 * at once on SIGTERM. Three of them go on when one is gone; the loss of a majority stops changes,
 * not resolution.
 */
public final class NamingProcess {
  private NamingProcess() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      Flags flags = Flags.of(arguments);
      InetSocketAddress listen =
          Addresses.parseOne("--listen", flags.text("--listen", "127.0.0.1:0"));
      List<InetSocketAddress> peers = Addresses.parse("--peers", flags.text("--peers", ""));
      Path directory = Path.of(flags.required("--directory", "where the names are stored"));
      ControlSecret secret = ControlSecret.ofFile(flags.path("--secret-file"));
      flags.end();
      NamingServer server = NamingServer.open(listen, peers, directory, secret);
      System.out.println("ready naming " + Addresses.format(server.address()));
      new CountDownLatch(1).await();
    } catch (TerraceException e) {
      System.err.println("naming: " + e.getMessage());
      System.exit(e.code().exitCode());
    }
  }
}
