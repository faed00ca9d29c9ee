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
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
 * The packets of a stall, cut out of the capture of its trial: those that its server sent or was
 * sent around that time. The capture is read as a stream up to the end of the stall; of what is
 * found, {@value #MOST_PACKETS} packets are written, and the file's own count of losses tells how
 * many more there were. Immutable.
 */
public final class StallCapture {
  /** The packets that a cut holds at most. */
  public static final int MOST_PACKETS = 200_000;

  private static final long AROUND_NANOS = 100_000_000;
  private static final long LATE_NANOS = 1_000_000_000;
  private static final int REORDERED_PACKETS = 1_000;
  private static final int ETHERNET = 1;
  private static final int SNAP_LENGTH = 1 << 18;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path capture;
  private final Set<HostAddress> server;
  private final long fromNanos;
  private final long toNanos;
  private final String what;

  private StallCapture(
      Path capture, Set<HostAddress> server, long fromNanos, long toNanos, String what) {
    this.capture = capture;
    this.server = server;
    this.fromNanos = fromNanos;
    this.toNanos = toNanos;
    this.what = what;
  }

  /**
   * The packets of a server between two moments of a stall.
   *
   * @return empty where the capture is not among the results
   * @throws IOException if the description of the trial cannot be read
   */
  public static Optional<StallCapture> of(
      ResultPlace place, String server, long startNanos, long endNanos) throws IOException {
    Optional<Path> capture = ServedDirectory.file(place, ResultFiles.CAPTURE);
    if (capture.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new StallCapture(
            capture.get(),
            addresses(place, server),
            startNanos - AROUND_NANOS,
            endNanos + AROUND_NANOS,
            "a stall of " + server));
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

  /** Writes the packets as a pcapng file. */
  public void write(OutputStream output) throws IOException {
    HostNames names = new HostNames();
    try (InputStream input = Files.newInputStream(capture)) {
      PacketStream packets =
          new PacketStream(
              String.valueOf(capture.getFileName()),
              input,
              REORDERED_PACKETS,
              new Counters(),
              names);
      copy(packets, output);
    }
  }

  private void copy(PacketStream packets, OutputStream output) throws IOException {
    PacketParser parser = new PacketParser();
    @Nullable PcapngWriter writer = null;
    int linkType = ETHERNET;
    long found = 0;
    while (packets.next() && packets.timeNanos() <= toNanos + LATE_NANOS) {
      if (packets.timeNanos() < fromNanos || packets.timeNanos() > toNanos) {
        continue;
      }
      if (!isOfServer(parser, packets) || (writer != null && packets.linkType() != linkType)) {
        continue;
      }
      if (writer == null) {
        linkType = packets.linkType();
        writer = open(output, linkType);
      }
      if (found++ < MOST_PACKETS) {
        writer.packet(
            packets.timeNanos(),
            ByteBuffer.wrap(packets.bytes()),
            packets.offset(),
            packets.capturedBytes(),
            packets.wireBytes());
      }
    }
    PcapngWriter whole = writer == null ? open(output, ETHERNET) : writer;
    whole.finish(fromNanos, toNanos, found, Math.max(0, found - MOST_PACKETS));
    whole.close();
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
