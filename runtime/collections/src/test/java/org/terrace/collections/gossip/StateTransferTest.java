package org.terrace.collections.gossip;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/** The messages of a transfer one by one, with updates between them. */
class StateTransferTest {
  private static final Member A = member("a");
  private static final Member B = member("b");
  private static final long WRITER = Member.idAt("w", 1_000_000_000L);
  private static final int SHARED = 200;
  private static final StepTime START = new StepTime(0, 1_000_000_000L);

  private static Member member(String name) {
    long id = Member.idAt(name, 1_000_000_000L);
    return new Member(name, id, InetSocketAddress.createUnresolved(name, 1));
  }

  /** One of two replicas that keep no updates for sending again. */
  private static final class Side {
    final HybridClock clock = new HybridClock(START, Long.MAX_VALUE / 2);
    final ReplicaState state = new ReplicaState(0);
    final AntiEntropy antiEntropy;

    Side(Member self) {
      View view = new View(1, self, List.of(A, B), List.of());
      antiEntropy = new AntiEntropy(view, state, clock, 16 << 10, new Random(1));
    }

    void apply(long sequence, int key, List<Dot> superseded) {
      byte[] bytes = {(byte) key, (byte) (key >> 8)};
      Delta put = new Delta(9, bytes, superseded, sequence, Version.NEVER, bytes, Delta.Order.ANY);
      state.apply(WRITER, sequence, put.encode(new Encoder()), clock, ChangeCause.REMOTE);
    }

    List<GossipEffect> receive(Member from, Encoder message) {
      Decoder in = new Decoder(message.toBytes());
      int kind = in.getByte();
      return antiEntropy.step(START, new GossipEvent.Received(from, kind, in));
    }

    List<GossipEffect> round() {
      return antiEntropy.step(START, new GossipEvent.Round());
    }
  }

  private static Encoder sent(int kind, List<GossipEffect> effects) {
    return effects.stream()
        .filter(GossipEffect.Send.class::isInstance)
        .map(effect -> ((GossipEffect.Send) effect).message())
        .filter(message -> message.array()[0] == kind)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no message of kind " + kind + " in " + effects));
  }

  @Test
  void entriesThatHaveGoneSinceTheSketchAreNotTakenForAll() {
    Side a = new Side(A);
    Side b = new Side(B);
    for (int i = 1; i <= SHARED; i++) {
      a.apply(i, i, List.of());
      b.apply(i, i, List.of());
    }
    b.apply(SHARED + 1, SHARED + 1, List.of());
    Encoder answer = sent(Message.DIGEST, b.receive(A, sent(Message.DIGEST, a.round())));
    Encoder request = sent(Message.SKETCH_REQUEST, a.receive(B, answer));
    Encoder fetch = sent(Message.FETCH, a.receive(B, sent(Message.SKETCH, b.receive(A, request))));
    b.apply(SHARED + 2, SHARED + 1, List.of(new Dot(WRITER, SHARED + 1)));
    List<GossipEffect> after = a.receive(B, sent(Message.ENTRIES, b.receive(A, fetch)));

    assertThat(after).noneMatch(GossipEffect.Join.class::isInstance);
    assertThat(sent(Message.SKETCH_REQUEST, a.round()).length()).isPositive();
    assertThat(a.state.applied().contains(WRITER, SHARED + 1)).isFalse();
  }

  /** Two replicas with the same entries but for one, which the second has. */
  private static Encoder requestOf(Side a, Side b) {
    for (int i = 1; i <= SHARED; i++) {
      a.apply(i, i, List.of());
      b.apply(i, i, List.of());
    }
    b.apply(SHARED + 1, SHARED + 1, List.of());
    Encoder answer = sent(Message.DIGEST, b.receive(A, sent(Message.DIGEST, a.round())));
    return sent(Message.SKETCH_REQUEST, a.receive(B, answer));
  }

  @Test
  void entriesThatComeTwiceAreNotTakenForThoseOfTheNextSketch() {
    Side a = new Side(A);
    Side b = new Side(B);
    Encoder request = requestOf(a, b);
    Encoder fetch = sent(Message.FETCH, a.receive(B, sent(Message.SKETCH, b.receive(A, request))));
    Encoder early = sent(Message.ENTRIES, b.receive(A, fetch));
    b.apply(SHARED + 2, SHARED + 1, List.of(new Dot(WRITER, SHARED + 1)));
    b.round(); // which lets it send as much again
    Encoder late = sent(Message.ENTRIES, b.receive(A, fetch));
    a.round();
    Encoder again = sent(Message.SKETCH_REQUEST, a.receive(B, late));

    assertThat(a.receive(B, early)).noneMatch(GossipEffect.Join.class::isInstance);

    a.round();
    b.round();
    Encoder second = sent(Message.FETCH, a.receive(B, sent(Message.SKETCH, b.receive(A, again))));
    assertThat(a.receive(B, early)).noneMatch(GossipEffect.Join.class::isInstance);
    assertThat(a.receive(B, sent(Message.ENTRIES, b.receive(A, second))))
        .filteredOn(GossipEffect.Join.class::isInstance)
        .singleElement()
        .satisfies(join -> assertThat(((GossipEffect.Join) join).liveThere()).hasSize(SHARED + 1));
  }

  @Test
  void aSketchThatComesTwiceDoesNotChangeWhatTheFirstOneAskedFor() {
    Side a = new Side(A);
    Side b = new Side(B);
    Encoder request = requestOf(a, b);
    Encoder sketch = sent(Message.SKETCH, b.receive(A, request));
    b.apply(SHARED + 2, SHARED + 2, List.of());
    b.round(); // which lets it send as much again
    Encoder later = sent(Message.SKETCH, b.receive(A, request));
    Encoder fetch = sent(Message.FETCH, a.receive(B, sketch));
    a.receive(B, later);
    b.round();

    assertThat(a.receive(B, sent(Message.ENTRIES, b.receive(A, fetch))))
        .filteredOn(GossipEffect.Join.class::isInstance)
        .singleElement()
        .satisfies(join ->
            assertThat(((GossipEffect.Join) join).theirs().contains(WRITER, SHARED + 2))
                .as("what was not fetched counts as applied")
                .isFalse());
  }
}
