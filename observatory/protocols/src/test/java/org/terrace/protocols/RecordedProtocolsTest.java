package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.correlated.AjpProtocol;
import org.terrace.protocols.correlated.FastCgiProtocol;
import org.terrace.protocols.correlated.GiopProtocol;
import org.terrace.protocols.correlated.KafkaProtocol;
import org.terrace.protocols.correlated.ThriftProtocol;
import org.terrace.protocols.decoder.Protocol;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.decoder.RecordedConversation;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.protocols.memcached.TextProtocol;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * The words of real servers and clients, cut at every byte, damaged, joined midway and with packets
 * lost.
 */
class RecordedProtocolsTest {
  private static final int FILE_HEADER = 24;
  private static final int RECORD_HEADER = 16;
  private static final int CUTS_PER_CONVERSATION_MAX = 600;
  private static final int DAMAGED_CASES = 60;

  /** Of so many packets one is lost at a time. */
  private static final int PACKETS_PER_LOSS = 3;

  /**
   * A capture among the resources.
   *
   * @param protocol what is spoken in it
   * @param requests how many requests it holds
   * @param errors how many of them failed
   */
  record Recorded(String capture, Protocol protocol, int requests, int errors) {
    @Override
    public String toString() {
      return capture;
    }

    private List<Row> play(Script script) {
      return script.play(
          (context, output) -> protocol.decoder(context, output, Entry.BEGINNING),
          Ending.CAPTURE_ENDED);
    }

    private List<Row> play(Script script, Entry entry, RandomGenerator random, double damage) {
      return script.play(
          (context, output) -> protocol.decoder(context, output, entry),
          Ending.CLOSED,
          random,
          damage);
    }
  }

  private static List<Recorded> captures() {
    return List.of(
        // Kafka 4.1: a broker, an administrator, producers and a consumer.
        new Recorded("kafka.pcap", new KafkaProtocol(), 60, 0),
        // Thrift 0.22: servers of the binary and of the compact form.
        new Recorded("thrift.pcap", new ThriftProtocol(), 24, 4),
        // GlassFish's ORB, and JacORB 3.9.
        new Recorded("giop.pcap", new GiopProtocol(), 21, 0),
        // Apache 2.4 before Tomcat 11.
        new Recorded("ajp.pcap", new AjpProtocol(), 22, 1),
        // Apache 2.4 before PHP 8.2.
        new Recorded("fastcgi.pcap", new FastCgiProtocol(), 12, 2),
        // Memcached 1.6.
        new Recorded("memcached-text.pcap", new TextProtocol(), 52, 3));
  }

  private static List<String> requests(List<Row> rows) {
    return rows.stream().map(RecordedConversation::withoutTimes).toList();
  }

  @ParameterizedTest
  @MethodSource("captures")
  void wholeCaptureIsRecognisedAndRead(Recorded recorded) {
    Captures.Reading reading = Captures.read(Captures.resource(recorded.capture));

    assertThat(protocols(reading)).containsOnly(recorded.protocol.name());
    assertThat(reading.requests()).hasSize(recorded.requests);
    assertThat(reading.result().statistics().losses()).isEmpty();
    assertThat(reading.requests())
        .filteredOn(request -> request.outcome() == Outcome.ERROR)
        .hasSize(recorded.errors);
  }

  /** The protocols of the connections with data. */
  private static List<String> protocols(Captures.Reading reading) {
    return reading.connections().stream()
        .filter(connection -> connection.bytesIn() > 0)
        .map(ObservedConnection::protocol)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("captures")
  void bytesOneByOneGiveTheSameRequests(Recorded recorded) {
    for (RecordedConversation conversation : RecordedConversation.of(recorded.capture)) {
      List<Row> whole = recorded.play(conversation.script());
      assertThat(requests(recorded.play(conversation.script(conversation.length(), 1))))
          .isEqualTo(requests(whole));
    }
  }

  @ParameterizedTest
  @MethodSource("captures")
  void captureThatEndsAtAnyByteHasTheRequestsThatWereAnswered(Recorded recorded) {
    for (RecordedConversation conversation : RecordedConversation.of(recorded.capture)) {
      List<String> whole = requests(recorded.play(conversation.script()));
      int step = 1 + conversation.length() / CUTS_PER_CONVERSATION_MAX;
      int answered = 0;
      for (int cut = 0; cut <= conversation.length(); cut += step) {
        List<Row> rows = recorded.play(conversation.script(cut, Integer.MAX_VALUE));
        List<String> complete =
            requests(rows.stream().filter(row -> row.outcome() != Outcome.UNFINISHED).toList());
        assertThat(complete).as("cut at " + cut).isEqualTo(whole.subList(0, complete.size()));
        assertThat(complete.size()).isGreaterThanOrEqualTo(answered);
        answered = complete.size();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("captures")
  void anySegmentationGivesTheSameRequestsAndDamageNeverFails(Recorded recorded) {
    RandomGenerator random = Seeds.generator(Seeds.next("recorded-" + recorded.capture));
    List<RecordedConversation> conversations = RecordedConversation.of(recorded.capture);
    for (int i = 0; i < DAMAGED_CASES; i++) {
      RecordedConversation conversation = conversations.get(i % conversations.size());
      List<Row> whole = recorded.play(conversation.script(), Entry.BEGINNING, random, 0);
      List<String> bytewise =
          requests(recorded.play(conversation.script(conversation.length(), 1)));
      // A connection that is closed breaks off what it leaves open.
      assertThat(requests(whole))
          .isEqualTo(bytewise.stream().map(name -> name.replace("UNFINISHED", "ABORTED")).toList());
      Entry entry = i % 3 == 0 ? Entry.MID_STREAM : Entry.BEGINNING;
      assertThat(recorded.play(conversation.script(), entry, random, random.nextDouble(0.3)))
          .hasSizeLessThan(2 * whole.size() + 100);
    }
  }

  private static int lengthAt(byte[] capture, int at) {
    return (capture[at + 8] & 0xff)
        | (capture[at + 9] & 0xff) << 8
        | (capture[at + 10] & 0xff) << 16;
  }

  @ParameterizedTest
  @MethodSource("captures")
  void lostPacketCostsTheRequestsAroundItAlone(Recorded recorded) {
    byte[] whole = Captures.resource(recorded.capture);
    List<String> all = answered(whole);
    int at = FILE_HEADER;
    for (int packet = 0; at < whole.length; packet++) {
      int end = at + RECORD_HEADER + lengthAt(whole, at);
      if (packet % PACKETS_PER_LOSS == 0) {
        List<String> missing = new ArrayList<>(all);
        answered(TcpCapture.without(whole, at, end)).forEach(missing::remove);
        // One packet of the capture of Memcached holds seven commands.
        assertThat(missing).as("without the packet at " + at).hasSizeLessThanOrEqualTo(7);
      }
      at = end;
    }
  }

  private static List<String> answered(byte[] capture) {
    return Captures.read(capture).requests().stream()
        .filter(each -> each.outcome() == Outcome.OK || each.outcome() == Outcome.ERROR)
        .map(RecordedProtocolsTest::name)
        .toList();
  }

  private static String name(Request request) {
    return request.connection() + " " + request.requestClass() + " " + request.arrivalNanos();
  }

  @ParameterizedTest
  @MethodSource("captures")
  void captureThatBeginsMidwayIsRecognised(Recorded recorded) {
    byte[] whole = Captures.resource(recorded.capture);
    int at = FILE_HEADER;
    for (int i = 0; i < 6; i++) {
      at += RECORD_HEADER + lengthAt(whole, at);
      Captures.Reading reading = Captures.read(TcpCapture.without(whole, FILE_HEADER, at));
      assertThat(protocols(reading))
          .as("without the first " + (i + 1) + " packets")
          .containsOnly(recorded.protocol.name());
      assertThat(reading.requests()).hasSizeGreaterThan(recorded.requests - 4);
    }
  }
}
