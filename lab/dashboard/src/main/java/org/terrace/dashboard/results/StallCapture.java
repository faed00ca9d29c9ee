package org.terrace.dashboard.results;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.CapturePoint;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.file.PcapngHeader;
import org.terrace.wire.file.PcapngWriter;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.Counters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The packets of a stall, cut out of a capture of its trial: those that its server sent or was sent
 * around that time. The capture is read as a stream up to the end of the stall; of what is found,
 * {@value #MOST_PACKETS} packets are written, and the file's own count of losses tells how many
 * more there were. Immutable.
 *
 * <p>Where a trial was captured at several points, that of the server's own machine saw all of its
 * packets, and another those alone that it exchanged with its own: the cut is made of the one that
 * saw most. Its times are put on the clock of the findings.
 */
public final class StallCapture {
  /** The packets that a cut holds at most. */
  public static final int MOST_PACKETS = 200_000;

  private static final long AROUND_NANOS = 100_000_000;
  private static final long LATE_NANOS = 1_000_000_000;
  private static final int REORDERED_PACKETS = 1_000;
  private static final int ETHERNET = 1;
  private static final int SNAP_LENGTH = 1 << 18;
  private static final double MILLION = 1e6;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path capture;
  private final long aheadNanos;
  private final Set<HostAddress> server;
  private final long fromNanos;
  private final long toNanos;
  private final String what;

  /**
   * A cut.
   *
   * @param aheadNanos how far the capture's clock was ahead of that of the findings
   */
  private StallCapture(
      Path capture,
      long aheadNanos,
      Set<HostAddress> server,
      long fromNanos,
      long toNanos,
      String what) {
    this.capture = capture;
    this.aheadNanos = aheadNanos;
    this.server = server;
    this.fromNanos = fromNanos;
    this.toNanos = toNanos;
    this.what = what;
  }

  /**
   * The packets of a server between two moments of a stall, as each capture among the results has
   * them, that of the first point first; no capture has been read.
   *
   * @param points the capture points of the findings, with their clocks; empty where there was one
   * @throws IOException if the description of the trial cannot be read
   */
  public static List<StallCapture> of(
      ResultPlace place, String server, long startNanos, long endNanos, List<CapturePoint> points)
      throws IOException {
    List<StallCapture> all = new ArrayList<>();
    Set<HostAddress> addresses = addresses(place, server);
    long middle = startNanos + (endNanos - startNanos) / 2;
    for (String name : ResultFiles.captures(place)) {
      Optional<Path> file = ServedDirectory.file(place, name);
      if (file.isPresent()) {
        all.add(
            new StallCapture(
                file.get(),
                aheadNanos(points, ResultFiles.pointOf(name), middle),
                addresses,
                startNanos - AROUND_NANOS,
                endNanos + AROUND_NANOS,
                "a stall of " + server));
      }
    }
    return List.copyOf(all);
  }

  /**
   * The one of some cuts that has most packets, for which each capture is read; empty where none
   * has any.
   */
  public static Optional<StallCapture> ofMost(List<StallCapture> cuts) throws IOException {
    Optional<StallCapture> most = Optional.empty();
    long packets = 0;
    for (StallCapture cut : cuts) {
      long found = cut.packets();
      if (found > packets) {
        packets = found;
        most = Optional.of(cut);
      }
    }
    return most;
  }

  /** The nanoseconds by which the clock of a point was ahead at a moment; 0 if it is not known. */
  private static long aheadNanos(List<CapturePoint> points, String name, long atNanos) {
    return points.stream()
        .filter(point -> point.name().equals(name))
        .flatMap(point -> point.clock().stream())
        .min(Comparator.comparingLong(stretch -> distance(stretch, atNanos)))
        .map(stretch -> {
          long middle = stretch.startNanos() + (stretch.endNanos() - stretch.startNanos()) / 2;
          return stretch.offsetNanos()
              + Math.round((atNanos - middle) * (stretch.driftPpm() / MILLION));
        })
        .orElse(0L);
  }

  private static long distance(CapturePoint.Offset stretch, long atNanos) {
    return Math.max(0, Math.max(stretch.startNanos() - atNanos, atNanos - stretch.endNanos()));
  }

  /** The addresses of a server as its trial tells them; none where it tells nothing. */
  private static Set<HostAddress> addresses(ResultPlace place, String server) throws IOException {
    Set<HostAddress> addresses = new HashSet<>();
    Optional<Path> trial = ServedDirectory.file(place, "trial.json");
    if (trial.isEmpty()) {
      return addresses;
    }
    try {
      for (JsonNode each : JSON.readTree(Files.readString(trial.get())).path("servers")) {
        if (each.path("name").asString("").equals(server)) {
          for (JsonNode address : each.path("addresses")) {
            addresses.add(host(address.asString("")));
          }
        }
      }
    } catch (JacksonException e) {
      throw new IOException(trial.get() + " is no JSON", e);
    }
    return addresses;
  }

  /**
   * The host of an endpoint such as {@code 127.0.2.1:8080}, {@code [::1]:8080} or {@code
   * 10.0.0.1%vxlan42:8080}, of which the network is left out.
   */
  private static HostAddress host(String endpoint) throws UnknownHostException {
    String text = endpoint.substring(0, Math.max(0, endpoint.lastIndexOf(':')));
    ByteBuffer bytes =
        ByteBuffer.wrap(InetAddress.ofLiteral(text.replaceAll("%.*|[\\[\\]]", "")).getAddress());
    return bytes.remaining() == Integer.BYTES
        ? HostAddress.ofIpv4(bytes.getInt())
        : new HostAddress(bytes.getLong(), bytes.getLong());
  }

  private long packets() throws IOException {
    long[] found = {0};
    read((_, _) -> found[0]++);
    return found[0];
  }

  /** Writes the packets as a pcapng file. */
  public void write(OutputStream output) throws IOException {
    Cut cut = new Cut(output);
    read(cut);
    cut.finish();
  }

  /** A receiver of the packets of the server, with their times by the clock of the findings. */
  private interface Packets {
    void take(PacketStream packets, long timeNanos) throws IOException;
  }

  private void read(Packets receiver) throws IOException {
    PacketParser parser = new PacketParser();
    try (InputStream input = Files.newInputStream(capture)) {
      PacketStream packets =
          new PacketStream(
              String.valueOf(capture.getFileName()),
              input,
              REORDERED_PACKETS,
              new Counters(),
              new HostNames());
      while (packets.next()) {
        long timeNanos = packets.timeNanos() - aheadNanos;
        if (timeNanos > toNanos + LATE_NANOS) {
          return;
        }
        if (timeNanos >= fromNanos && timeNanos <= toNanos && isOfServer(parser, packets)) {
          receiver.take(packets, timeNanos);
        }
      }
    }
  }

  /** A file with the packets of one kind of link, that of the first. */
  private final class Cut implements Packets {
    private final OutputStream output;
    private @Nullable PcapngWriter writer;
    private int linkType = ETHERNET;
    private long found;

    Cut(OutputStream output) {
      this.output = output;
    }

    @Override
    public void take(PacketStream packets, long timeNanos) throws IOException {
      PcapngWriter file = writer;
      if (file == null) {
        linkType = packets.linkType();
        file = open(output, linkType);
        writer = file;
      }
      if (packets.linkType() == linkType && found++ < MOST_PACKETS) {
        file.packet(
            timeNanos,
            ByteBuffer.wrap(packets.bytes()),
            packets.offset(),
            packets.capturedBytes(),
            packets.wireBytes());
      }
    }

    void finish() throws IOException {
      PcapngWriter whole = writer == null ? open(output, ETHERNET) : writer;
      whole.finish(fromNanos, toNanos, found, Math.max(0, found - MOST_PACKETS));
      whole.close();
    }
  }

  private PcapngWriter open(OutputStream output, int linkType) throws IOException {
    return PcapngWriter.over(
        Channels.newChannel(output),
        new PcapngHeader(
            "", "", "cut from " + capture.getFileName(), linkType, SNAP_LENGTH, what, Map.of()));
  }

  private boolean isOfServer(PacketParser parser, PacketStream packets) {
    if (server.isEmpty()) {
      return true;
    }
    PacketParser.Kind kind =
        parser.parse(
            packets.bytes(),
            packets.offset(),
            packets.capturedBytes(),
            packets.wireBytes(),
            packets.linkType());
    return kind == PacketParser.Kind.TCP
        && (server.contains(new HostAddress(parser.sourceHigh(), parser.sourceLow()))
            || server.contains(new HostAddress(parser.destinationHigh(), parser.destinationLow())));
  }
}
