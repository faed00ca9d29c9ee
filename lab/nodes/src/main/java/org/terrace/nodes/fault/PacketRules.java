package org.terrace.nodes.fault;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Keeper;
import org.terrace.core.process.ShortCommand;
import org.terrace.core.process.Uninterrupted;
import org.terrace.nodes.Endpoints.Endpoint;

/**
 * Rules of the kernel's packet filter about one server, by {@code nft}. The table that holds them,
 * and no others, is owned by a process that lives as long as the fault lasts and ends when this one
 * does, so that the kernel removes it in any case. The connection of {@code ssh} by which this
 * process was reached, if it was, is left alone. Confined to one thread.
 *
 * <p>Source: nft(8), the flag {@code owner} of a table.
 */
public final class PacketRules implements Hold {
  private static final String PROGRAM = "nft";

  /** An address that nobody has. */
  public static final Endpoint NOBODY = new Endpoint("probe", "127.255.255.254", 1);

  /** The fact that tells how many packets were dropped. */
  public static final String DROPPED = "droppedPackets";

  private static final String SSH_CONNECTION = "SSH_CONNECTION";

  /** The client's address and port, and the server's. */
  private static final int SSH_CONNECTION_WORDS = 4;

  private static final Pattern PACKETS = Pattern.compile("counter packets (\\d+)");
  private static final int POLLS = 250;
  private static final long POLL_MILLIS = 20;

  /** Room for two of the largest packets of loopback, and for a tenth of a second. */
  private static final long LEAST_BURST_BYTES = 128 << 10;

  private static final int BURSTS_PER_SECOND = 10;
  private static final int LOSS_STEPS = 1_000_000;

  /** Far more than the few rules of one table take. */
  private static final int MOST_LISTED_BYTES = 64 << 10;

  /** The words of the program, and of its library, about a table that the kernel does not have. */
  private static final String NO_TABLE = "No such file or directory";

  /** The word with which the program begins its complaint about a line. */
  private static final String ERROR = "Error";

  private static final Duration LISTED_WITHIN = Duration.ofSeconds(5);

  /** The tables of this process so far: rules about a server may begin before others of it end. */
  private static final AtomicLong TABLES = new AtomicLong();

  private final String program;
  private final String word;
  private final String server;
  private final List<String> rules;
  private final String table;
  private @Nullable Process filter;

  /** Whether the end of the rules has begun, after which their owner may be gone. */
  private boolean ending;

  /** The reason for which the rules were gone before their end began; empty if they were not. */
  private String goneReason = "";

  private PacketRules(String word, Endpoint endpoint, List<String> rules) {
    this(PROGRAM, word, endpoint, rules);
  }

  /**
   * @param program the program {@code nft}
   */
  PacketRules(String program, String word, Endpoint endpoint, List<String> rules) {
    this.program = program;
    this.word = word;
    this.server = endpoint.server();
    this.rules = rules;
    this.table =
        "inet terrace_%d_%d_%s"
            .formatted(
                ProcessHandle.current().pid(),
                TABLES.incrementAndGet(),
                endpoint.server().replaceAll("[^A-Za-z0-9]", "_"));
  }

  /** The drop of what opens a connection to a server, which has not begun. */
  public static PacketRules openings(Endpoint endpoint) {
    return new PacketRules(
        "syn-drop",
        endpoint,
        List.of(
            "input ip daddr %s tcp dport %d tcp flags & (syn|ack) == syn counter drop"
                .formatted(endpoint.address(), endpoint.port())));
  }

  /** The drop of all packets to and from a server. */
  public static PacketRules cut(Endpoint endpoint) {
    return both("cut", endpoint, "counter drop");
  }

  /**
   * The drop of all packets from and to TCP ports of this network, whichever addresses they have.
   *
   * @param whose the process that has the ports
   */
  public static PacketRules ports(String whose, Set<Integer> ports) {
    String set = ports.stream().map(String::valueOf).collect(Collectors.joining(", ", "{ ", " }"));
    return new PacketRules(
        "cut",
        new Endpoint(whose, NOBODY.address(), NOBODY.port()),
        List.of(
            "input tcp sport " + set + " counter drop",
            "input tcp dport " + set + " counter drop"));
  }

  /**
   * The drop of some packets to and from a server, by chance.
   *
   * @param share the part that is dropped, above 0 and at most 1
   */
  public static PacketRules loss(Endpoint endpoint, double share) {
    int steps = Math.clamp(Math.round(share * LOSS_STEPS), 1, LOSS_STEPS);
    // A number below all steps always is, which the filter does not take for a condition.
    String chance =
        steps == LOSS_STEPS ? "" : "numgen random mod %d < %d ".formatted(LOSS_STEPS, steps);
    return both("loss", endpoint, chance + "counter drop");
  }

  /** The drop of what exceeds a rate to a server, and of what exceeds it from there. */
  public static PacketRules bandwidth(Endpoint endpoint, long bytesPerSecond) {
    long burst = Math.max(LEAST_BURST_BYTES, bytesPerSecond / BURSTS_PER_SECOND);
    return both(
        "bandwidth",
        endpoint,
        "limit rate over %d bytes/second burst %d bytes counter drop"
            .formatted(bytesPerSecond, burst));
  }

  private static PacketRules both(String word, Endpoint endpoint, String verdict) {
    return both(word, endpoint, verdict, shellOfThisProcess());
  }

  /** The connection of ssh by which this process was reached; empty if it was not. */
  static String shellOfThisProcess() {
    return System.getenv().getOrDefault(SSH_CONNECTION, "");
  }

  /** The port at which the server of such a connection listens; empty where there is none. */
  static Optional<String> portOf(String shell) {
    String[] places = shell.split(" ", -1);
    return places.length == SSH_CONNECTION_WORDS && places[3].matches("\\d{1,5}")
        ? Optional.of(places[3])
        : Optional.empty();
  }

  /**
   * Rules for both directions.
   *
   * @param shell the connection of ssh by which this process was reached, as its environment has
   *     it; empty if it was not
   */
  static PacketRules both(String word, Endpoint endpoint, String verdict, String shell) {
    String to = "input ip daddr " + endpoint.address() + " ";
    String from = "output ip saddr " + endpoint.address() + " ";
    List<String> rules = new ArrayList<>();
    portOf(shell)
        .ifPresent(port -> {
          // Before the others, since a condition about a port is about TCP alone.
          rules.add(to + "tcp dport " + port + " accept");
          rules.add(from + "tcp sport " + port + " accept");
        });
    rules.add(to + verdict);
    rules.add(from + verdict);
    return new PacketRules(word, endpoint, rules);
  }

  /**
   * Begins and ends it at once, as rules about {@link #NOBODY} show that this machine permits it.
   *
   * @throws TerraceException if it does not, with the reason and what to do
   */
  public void tryOut() {
    begin();
    var _ = end();
  }

  @Override
  public void begin() {
    try {
      Process owner =
          Keeper.ofThisProcess().start(new ProcessBuilder(program, "-i").redirectErrorStream(true));
      filter = owner;
      // Refused where there is one of that name, whose counters would be taken for its own.
      tell(owner, "create table " + table + " { flags owner; }");
      for (String hook : List.of("input", "output")) {
        tell(
            owner,
            "add chain %s %s { type filter hook %s priority 0; policy accept; }"
                .formatted(table, hook, hook));
      }
      for (String rule : rules) {
        tell(owner, "add rule " + table + " " + rule);
      }
      for (int poll = 0; poll < POLLS && owner.isAlive(); poll++) {
        boolean isWhole = counted(list()).size() == counters();
        // Asked last: what it says of a line is there before the next line is in force.
        String said = owner.getInputStream().available() > 0 ? said(owner) : "";
        if (!said.isEmpty() && (!isWhole || said.contains(ERROR))) {
          throw refusal(said);
        }
        if (isWhole) {
          return;
        }
        owner.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
      throw refusal(said(owner));
    } catch (IOException e) {
      throw refusal(String.valueOf(e.getMessage()));
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
    if (filter != null) {
      close(filter);
    }
    filter = null;
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "%s: packets of %s cannot be dropped here (%s); it takes nftables (sudo apt-get install nftables) and root, or a network namespace of the run's own"
            .formatted(word, server, why.strip().lines().findFirst().orElse("no reason")));
  }

  private static void tell(Process owner, String command) throws IOException {
    owner.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    owner.getOutputStream().flush();
  }

  /**
   * Lets it go, and tells how many packets were dropped. An interrupt does not keep it from that.
   *
   * @throws TerraceException if the kernel may still have the rules, of which whoever asks again is
   *     told until it has none; and once if they were gone before this end
   */
  @Override
  public Map<String, String> end() {
    Process owner = filter;
    if (owner == null) {
      return Map.of();
    }
    if (!ending) {
      ending = true;
      goneReason = owner.isAlive() ? "" : "the process of nft that owned its rules did";
    }
    Map<String, String> facts = owner.isAlive() ? facts() : Map.of();
    close(owner);
    requireGone();
    filter = null;
    ending = false;
    if (!goneReason.isEmpty()) {
      // Nobody knows when the kernel removed the rules, nor what they dropped.
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "the %s of %s ended by itself, since %s; whoever ended that must let it be"
              .formatted(word, server, goneReason));
    }
    return facts;
  }

  private Map<String, String> facts() {
    try {
      List<Long> dropped = counted(list());
      if (dropped.size() != counters()) {
        goneReason = "the kernel does not have its table as it was";
      }
      long packets = dropped.stream().mapToLong(Long::longValue).sum();
      return Map.of(DROPPED, Long.toString(packets));
    } catch (IOException e) {
      return Map.of();
    }
  }

  /** The number of rules that count what they drop. */
  private long counters() {
    return rules.stream().filter(rule -> rule.contains(" counter ")).count();
  }

  /** The packets that each of a listed table's counting rules has met. */
  private static List<Long> counted(String listed) {
    return PACKETS.matcher(listed).results().map(each -> Long.valueOf(each.group(1))).toList();
  }

  private static void close(Process owner) {
    try {
      owner.getOutputStream().close();
    } catch (IOException e) {
      owner.destroyForcibly();
    }
    if (!hasEnded(owner)) {
      owner.destroyForcibly();
      var _ = hasEnded(owner);
    }
  }

  private static boolean hasEnded(Process owner) {
    return Uninterrupted.await(() -> owner.waitFor(POLLS * POLL_MILLIS, TimeUnit.MILLISECONDS));
  }

  /** Whoever goes on in a network that is still cut measures something else than they think. */
  private void requireGone() {
    String why;
    try {
      ShortCommand.Result told = told(listing().withEnvironment(Map.of("LC_ALL", "C")));
      if (told.status().orElse(0) == 1 && told.output().contains(NO_TABLE)) {
        return;
      }
      String said = told.output().strip().lines().findFirst().orElse("");
      why = told.isSuccess() ? "its table is still there" : said.isEmpty() ? told.failure() : said;
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    throw new TerraceException(
        ErrorCode.CHECK_FAILED,
        "%s: packets of %s may still be dropped here (%s); 'nft list table %s' tells whether they are, and 'nft delete table %s' ends it"
            .formatted(word, server, why, table, table));
  }

  /**
   * The table as the kernel has it; empty when it has none of that name.
   *
   * @throws IOException if it is not told within the bounds
   */
  private String list() throws IOException {
    ShortCommand.Result told = told(listing().withoutErrors());
    if (!told.isSuccess() && told.status().orElse(0) == 0) {
      throw new IOException("nft does not tell its rules: " + told.failure());
    }
    return told.successfulOutput().orElse("");
  }

  /** The answer of a command, which is asked again where an interrupt ended it. */
  private static ShortCommand.Result told(ShortCommand command) throws IOException {
    return Uninterrupted.<ShortCommand.Result, IOException>await(() -> {
      try {
        return command.run();
      } catch (InterruptedIOException e) {
        throw new InterruptedException(e.getMessage());
      }
    });
  }

  private ShortCommand listing() {
    List<String> command = new ArrayList<>(List.of(program, "list", "table"));
    command.addAll(List.of(table.split(" ", -1)));
    return ShortCommand.of(command).withWithin(LISTED_WITHIN).withOutputBytesMax(MOST_LISTED_BYTES);
  }
}
