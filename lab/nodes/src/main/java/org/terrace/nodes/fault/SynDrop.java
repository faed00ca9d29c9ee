package org.terrace.nodes.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Endpoints.Endpoint;

/**
 * The drop of what opens a connection to a server: a rule of the kernel's packet filter, by {@code
 * nft}. The table that holds the rule is owned by a process that lives as long as the drop lasts
 * and ends when this one does, so that the kernel removes it in any case. Confined to one thread.
 *
 * <p>Source: nft(8), the flag {@code owner} of a table.
 */
public final class SynDrop implements Hold {
  private static final String PROGRAM = "nft";
  private static final Pattern PACKETS = Pattern.compile("counter packets (\\d+)");
  private static final int POLLS = 250;
  private static final long POLL_MILLIS = 20;

  private final Endpoint endpoint;
  private final String table;
  private @Nullable Process filter;

  /** The drop for one server, which has not begun. */
  public SynDrop(Endpoint endpoint) {
    this.endpoint = endpoint;
    this.table =
        "inet terrace_%d_%s"
            .formatted(
                ProcessHandle.current().pid(), endpoint.server().replaceAll("[^A-Za-z0-9]", "_"));
  }

  /**
   * Checks that this machine permits it, by a rule for an address that nobody has.
   *
   * @throws TerraceException if it does not, with the reason and what to do
   */
  public static void requirePermitted() {
    SynDrop probe = new SynDrop(new Endpoint("probe", "127.255.255.254", 1));
    probe.begin();
    probe.end();
  }

  @Override
  public void begin() {
    try {
      Process owner = new ProcessBuilder(PROGRAM, "-i").redirectErrorStream(true).start();
      filter = owner;
      tell(owner, "add table " + table + " { flags owner; }");
      tell(
          owner,
          "add chain " + table + " input { type filter hook input priority 0; policy accept; }");
      tell(
          owner,
          "add rule %s input ip daddr %s tcp dport %d tcp flags & (syn|ack) == syn counter drop"
              .formatted(table, endpoint.address(), endpoint.port()));
      for (int poll = 0; poll < POLLS && owner.isAlive(); poll++) {
        if (list().contains("drop")) {
          return;
        }
        if (owner.getInputStream().available() > 0) {
          break;
        }
        owner.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
      throw refusal(said(owner));
    } catch (IOException e) {
      throw refusal(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refusal("interrupted");
    }
  }

  private static String said(Process owner) throws IOException {
    byte[] bytes = new byte[Math.min(1_000, owner.getInputStream().available())];
    int read = owner.getInputStream().read(bytes);
    return read <= 0 ? "nft did not answer" : new String(bytes, 0, read, StandardCharsets.UTF_8);
  }

  private TerraceException refusal(String why) {
    close();
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "syn-drop: connections to %s cannot be dropped here (%s); it takes nftables (sudo apt-get install nftables) and root, or a network namespace of the run's own"
            .formatted(endpoint.server(), why.strip().lines().findFirst().orElse("no reason")));
  }

  private static void tell(Process owner, String command) throws IOException {
    owner.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    owner.getOutputStream().flush();
  }

  @Override
  public Map<String, String> end() {
    try {
      Matcher packets = PACKETS.matcher(list());
      return packets.find() ? Map.of("droppedPackets", packets.group(1)) : Map.of();
    } catch (IOException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    } finally {
      close();
    }
  }

  private void close() {
    Process owner = filter;
    filter = null;
    if (owner != null) {
      try {
        owner.getOutputStream().close();
        if (!owner.waitFor(POLLS * POLL_MILLIS, TimeUnit.MILLISECONDS)) {
          owner.destroyForcibly();
        }
      } catch (IOException e) {
        owner.destroyForcibly();
      } catch (InterruptedException e) {
        owner.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The table as the kernel has it; empty when it has none of that name. */
  private String list() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(PROGRAM, "list", "table"));
    command.addAll(List.of(table.split(" ", -1)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? text : "";
  }
}
