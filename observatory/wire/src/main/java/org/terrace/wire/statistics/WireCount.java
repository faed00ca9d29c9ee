package org.terrace.wire.statistics;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One thing that is counted while a capture is read, with a plain sentence that says what it means
 * for the results. Immutable.
 */
public enum WireCount {
  /** Packets read. */
  PACKETS(false, "%,d {packet was|packets were} read."),
  /** Bytes of those packets on the wire. */
  BYTES(false, "The packets carried %,d {byte|bytes} on the wire."),
  /** TCP connections, those joined midway included. */
  CONNECTIONS(false, "%,d TCP {connection was|connections were} seen."),
  /** Requests reconstructed, the unfinished included. */
  REQUESTS(false, "%,d {request was|requests were} reconstructed."),

  /** Packets that were lost before they reached the file. */
  DROPPED_PACKETS(
      true,
      "%,d {packet was|packets were} dropped by the capture itself: figures around are too low."),
  /** Packets of which the capture kept only a part. */
  TRUNCATED_PACKETS(
      true,
      "%,d {packet was|packets were} cut short by the capture's snap length: content beyond it was"
          + " not seen."),
  /** Stretches of a file that could not be read. */
  DAMAGED_RECORDS(
      true,
      "The capture is damaged at %,d {place|places}: reading went on at the next sound record."),
  /** Bytes passed over to find the next sound record. */
  SKIPPED_BYTES(
      true, "%,d {byte of the capture was|bytes of the capture were} skipped as damaged."),
  /** Files that end in the middle of a record. */
  TRUNCATED_FILES(
      true,
      "%,d capture {file ends|files end} in the middle of a packet: what came after is unknown."),
  /** Sources that failed while they were read. */
  READ_ERRORS(
      true,
      "Reading failed %,d {time|times} before the end of the input: the rest of it is unknown."),
  /** Packets further out of time order than the reorder window. */
  LATE_PACKETS(
      true,
      "%,d {packet was|packets were} further out of time order than the reorder window could mend."),
  /** Packets whose link layer or headers are not understood. */
  UNDECODABLE_PACKETS(
      true,
      "%,d {packet had headers of an unknown or damaged kind and was|packets had headers of an"
          + " unknown or damaged kind and were} passed over."),
  /** Packets of other protocols than TCP. */
  NON_TCP_PACKETS(
      false, "%,d {packet was not TCP and was|packets were not TCP and were} passed over."),
  /** TCP packets that came in tunnels. */
  TUNNELLED_PACKETS(
      false,
      "%,d TCP {packet came in a tunnel: what it carried was|packets came in tunnels: what they"
          + " carried was} read."),
  /** IP fragments. */
  FRAGMENTS(
      true,
      "%,d IP {fragment was passed over: its|fragments were passed over: their} TCP data counts as"
          + " lost."),
  /** Packets delivered to the capture twice. */
  DUPLICATE_PACKETS(
      false,
      "%,d {packet appears twice in the capture (as on loopback, or inside and outside of a tunnel)"
          + " and was|packets appear twice in the capture (as on loopback, or inside and outside of"
          + " a tunnel) and were} counted once."),

  /** Connections already open when they were first seen. */
  MID_STREAM_CONNECTIONS(
      true,
      "%,d {connection was already open when first seen: its|connections were already open when"
          + " first seen: their} first requests may be lost."),
  /** Connections forgotten to stay within the memory limit or after long silence. */
  EVICTED_CONNECTIONS(
      true,
      "%,d {connection was|connections were} forgotten after long silence or to stay within memory."),
  /** Connection attempts repeated because no answer came. */
  REPEATED_SYNS(
      true,
      "%,d connection {attempt was|attempts were} repeated: a server's listen queue may have been full."),
  /** Segments whose bytes had all been seen before. */
  RETRANSMITTED_SEGMENTS(
      false, "%,d TCP {segment was a retransmission|segments were retransmissions}."),
  /** Segments that arrived before earlier ones. */
  REORDERED_SEGMENTS(
      false, "%,d TCP {segment|segments} arrived out of order and were put in order."),
  /** Stretches of TCP streams that were never seen. */
  GAPS(
      true,
      "%,d {stretch of a TCP stream is|stretches of TCP streams are} missing from the capture."),
  /** Bytes in those stretches. */
  GAP_BYTES(
      true, "%,d {byte of TCP streams is|bytes of TCP streams are} missing from the capture."),

  /** Connections of which only turns are known. */
  OPAQUE_CONNECTIONS(
      true,
      "%,d {connection is encrypted or of an unknown protocol: its|connections are encrypted or of"
          + " an unknown protocol: their} requests are turns of client and server."),
  /** Connections of TLS whose keys were at hand and fitted. */
  DECRYPTED_CONNECTIONS(
      false, "%,d TLS {connection was|connections were} decrypted with the keys at hand."),
  /** Connections of TLS without keys, where there are keys of others. */
  CONNECTIONS_WITHOUT_KEYS(
      true,
      "%,d TLS {connection has|connections have} no keys among those at hand: only {its|their} turns are"
          + " known."),
  /** Connections of TLS whose first records do not open with the keys named for them. */
  UNFITTING_KEYS(
      true,
      "%,d TLS {connection does|connections do} not open with the keys that the key log names for"
          + " {it|them}: only turns are known."),
  /** Connections of TLS that could be decrypted up to a loss only. */
  DECRYPTION_LOST(
      true,
      "%,d TLS {connection|connections} could be decrypted only up to a loss in the capture: the"
          + " rest is turns."),
  /** Records of TLS that were not captured whole, or are damaged. */
  UNREAD_RECORDS(
      true,
      "%,d TLS {record was|records were} not captured whole or {is|are} damaged: what {it|they}"
          + " carried is missing. Record whole packets."),
  /** Records of data that clients send before the handshake. */
  EARLY_RECORDS(
      true,
      "%,d TLS {record|records} of early data (0-RTT) {was|were} passed over: requests that were sent"
          + " early are missing."),
  /** Lines of key logs that are damaged. */
  DAMAGED_KEY_LINES(
      true, "%,d {line of a key log is|lines of key logs are} damaged and {was|were} passed over."),
  /** Keys beyond those that are kept. */
  KEYS_BEYOND_LIMIT(
      true,
      "%,d {secret of a key log was|secrets of key logs were} beyond the limit: the latest are"
          + " kept."),
  /** Messages that broke their protocol. */
  PROTOCOL_ERRORS(
      true,
      "%,d {time|times} a stream broke its protocol: reading went on at the next message found."),
  /** Responses whose request was not seen. */
  RESPONSES_WITHOUT_REQUEST(
      true,
      "%,d {response was seen without its request, which is|responses were seen without their"
          + " requests, which are} missing from the results."),
  /** Requests whose end was inferred from the next turn. */
  ESTIMATED_ENDS(
      true,
      "The {end of %,d request was|ends of %,d requests were} estimated from the last byte seen"
          + " before the next request."),
  /** Requests still open at the end, or whose end was lost. */
  UNFINISHED_REQUESTS(true, "%,d {request|requests} had no end in the capture."),
  /** Requests broken off by the end of their connection. */
  ABORTED_REQUESTS(
      false,
      "%,d {request was broken off by the end of its|requests were broken off by the end of their}"
          + " connection."),
  /** Executions of statements prepared out of sight. */
  UNKNOWN_STATEMENTS(
      true,
      "%,d {execution was of a statement|executions were of statements} prepared before the capture"
          + " began: no SQL known."),
  /** Requests of which the path was sent out of sight. */
  UNKNOWN_PATHS(
      true,
      "%,d {request|requests} referred to a path that was sent before the capture began, or in a part"
          + " that is missing: no class known."),
  /** Events of TCP beyond those that are kept. */
  UNTOLD_EVENTS(
      true,
      "%,d {event of TCP is|events of TCP are} not told one by one: there were too many of {its|their}"
          + " kind."),
  /** Requests that may wait by their client's own wish. */
  WAITING_REQUESTS(
      false,
      "%,d {request|requests} may have waited by the client's own wish: no part of any server's load."),
  /** Messages of calls by gRPC. */
  GRPC_MESSAGES(false, "%,d {message was|messages were} carried by calls of gRPC."),
  /** Requests put in the class of all others. */
  OTHER_CLASS_REQUESTS(
      true,
      "%,d {request was|requests were} put in the class 'other': there were more classes than the limit.");

  /** A word for one and for several: {@code {one|several}}. */
  private static final Pattern NUMBER = Pattern.compile("\\{([^|}]*)\\|([^}]*)}");

  private final boolean loss;
  private final String sentence;

  WireCount(boolean loss, String sentence) {
    this.loss = loss;
    this.sentence = sentence;
  }

  /** Whether a count above zero makes the results less complete or less exact. */
  public boolean isLoss() {
    return loss;
  }

  /** The sentence that says it for a given count. */
  public String sentence(long count) {
    String words = NUMBER.matcher(sentence).replaceAll(count == 1 ? "$1" : "$2");
    return String.format(Locale.ROOT, words, count);
  }

  /** The name of the count in files and tables, for example {@code dropped-packets}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
