package org.terrace.collections.histories;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.gossip.CoreMaker;
import org.terrace.collections.gossip.GossipEffect;
import org.terrace.collections.gossip.GossipEvent;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.StepTime;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.View;

/**
 * All that reached the core of one replica from its beginning to its end, and what the core gave
 * each time, to be given to an equal core.
 */
final class CoreRecording {
  private sealed interface Input {}

  /** The making of the core, of the parts that it began with. */
  private record Beginning(View view, int messageBytesMax) implements Input {}

  /** A change of the state between two steps, made at a time that only the clock knows. */
  private record Change(@Nullable StepTime now, BiConsumer<ReplicaState, HybridClock> change)
      implements Input {}

  /** A step, what it gave, and what the state was after it. */
  private record Step(StepTime now, Supplier<GossipEvent> event, byte[] given) implements Input {}

  /** The numbers of inputs and effects by kind. */
  final Map<String, Integer> kinds = new TreeMap<>();

  private final long seed;
  private final List<Input> inputs = new ArrayList<>();
  private @Nullable HybridClock clock;
  private @Nullable AntiEntropy core;
  private @Nullable RecordedState state;
  private StepTime began = new StepTime(0, 0);
  private long skewMaxMillis;
  private boolean inStep;
  private int steps;

  /** A recording of a core whose generator begins with that seed. */
  CoreRecording(long seed) {
    this.seed = seed;
  }

  /** The number of steps. */
  int steps() {
    return steps;
  }

  /** The making of the core that is recorded. */
  CoreMaker maker(RecordedState recorded, long skewMax) {
    return (view, sameState, replicaClock, messageBytesMax, random) -> {
      state = recorded;
      clock = replicaClock;
      began = replicaClock.now();
      skewMaxMillis = skewMax;
      inputs.add(new Beginning(view, messageBytesMax));
      core =
          new Recorded(
              view, recorded, replicaClock, messageBytesMax, recorded.planted.generator(seed));
      return core;
    };
  }

  /** Takes note of a change of the state, unless the core makes it. */
  void change(String kind, BiConsumer<ReplicaState, HybridClock> change) {
    if (!inStep) {
      count(kind);
      inputs.add(new Change(clock == null ? null : clock.now(), change));
    }
  }

  private final class Recorded extends AntiEntropy {
    private final RecordedState recorded;

    Recorded(
        View view,
        RecordedState recorded,
        HybridClock clock,
        int messageBytesMax,
        RandomGenerator random) {
      super(view, recorded, clock, messageBytesMax, random);
      this.recorded = recorded;
    }

    @Override
    public List<GossipEffect> step(StepTime now, GossipEvent event) {
      Supplier<GossipEvent> copies = copies(event);
      inStep = true;
      try {
        List<GossipEffect> effects = super.step(recorded.planted.time(now), copies.get());
        note(effects, event);
        inputs.add(new Step(now, copies, bytes(effects, recorded)));
        return effects;
      } catch (RuntimeException e) {
        note(List.of(), event);
        inputs.add(new Step(now, copies, bytes(e, recorded)));
        throw e;
      } finally {
        inStep = false;
      }
    }

    @Override
    public boolean keepCheckpoint() {
      throw new AssertionError("an input that is not recorded");
    }
  }

  private void note(List<GossipEffect> effects, GossipEvent event) {
    steps++;
    count(
        event instanceof GossipEvent.Received received
            ? "Received " + received.kind()
            : event.getClass().getSimpleName());
    effects.forEach(effect -> count("gives " + effect.getClass().getSimpleName()));
  }

  private void count(String kind) {
    kinds.merge(kind, 1, Integer::sum);
  }

  /** The same event as often as it is asked for: a message can be read but once. */
  private static Supplier<GossipEvent> copies(GossipEvent event) {
    if (event instanceof GossipEvent.Received(var from, int kind, Decoder message)) {
      byte[] bytes = message.getRaw(message.remaining());
      return () -> new GossipEvent.Received(from, kind, new Decoder(bytes.clone()));
    }
    return () -> event;
  }

  /**
   * Gives an equal core the same; says where it first does otherwise, if it does, or in what the
   * two are not the same at the end.
   */
  Optional<String> replayed() {
    RecordedState first = Objects.requireNonNull(state);
    ReplicaState second =
        new ReplicaState(first.logBytesMax) {
          @Override
          public int roundsOver() {
            return first.roundsOver();
          }

          @Override
          public List<LiveEntry<?>> liveEntries() {
            return first.planted.listed(super.liveEntries());
          }
        };
    HybridClock secondClock = new HybridClock(began, skewMaxMillis);
    AntiEntropy secondCore = null;
    int number = 0;
    for (Input input : inputs) {
      switch (input) {
        case Beginning(View view, int messageBytesMax) ->
            secondCore =
                new AntiEntropy(
                    view, second, secondClock, messageBytesMax, first.planted.generator(seed));
        case Change(StepTime now, BiConsumer<ReplicaState, HybridClock> change) -> {
          secondClock.stepAt(now == null ? began : now);
          change.accept(second, now == null ? new HybridClock(began, skewMaxMillis) : secondClock);
        }
        case Step step -> {
          number++;
          byte[] given = again(Objects.requireNonNull(secondCore), step, second);
          if (!Arrays.equals(given, step.given)) {
            return Optional.of(
                "step %d of %d, %s, gave%n%s%nand then%n%s"
                    .formatted(number, steps, step.event.get(), hex(step.given), hex(given)));
          }
        }
      }
    }
    byte[] ended = end(first, core);
    byte[] endedAgain = end(second, secondCore);
    return Arrays.equals(ended, endedAgain)
        ? Optional.empty()
        : Optional.of("the end was%n%s%nand then%n%s".formatted(hex(ended), hex(endedAgain)));
  }

  private byte[] again(AntiEntropy secondCore, Step step, ReplicaState second) {
    StepTime now = Objects.requireNonNull(state).planted.time(step.now);
    try {
      return bytes(secondCore.step(now, step.event.get()), second);
    } catch (RuntimeException e) {
      return bytes(e, second);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The effects of a step, and what the state has after it, to the last bit. */
  private static byte[] bytes(List<GossipEffect> effects, ReplicaState state) {
    Encoder out = new Encoder();
    for (GossipEffect effect : effects) {
      out.putString(effect.getClass().getSimpleName());
      switch (effect) {
        case GossipEffect.Send(var to, Encoder message) -> {
          out.putFixedLong(to.id());
          out.putBytes(message.toBytes());
        }
        case GossipEffect.Put put -> {
          out.putFixedLong(put.store());
          out.putBytes(put.key());
          out.putBytes(put.value());
          out.putFixedLong(put.expiresMillis());
          Delta.putDots(out, put.superseded());
        }
        case GossipEffect.Remove remove -> {
          out.putFixedLong(remove.store());
          out.putBytes(remove.key());
          Delta.putDots(out, remove.superseded());
        }
        case GossipEffect.Join join -> {
          out.putString(join.peer());
          out.putFixedLong(join.added());
          join.theirs().encode(out);
          Delta.putDots(out, join.supersededAhead());
          join.liveThere().forEach(out::putFixedLong);
        }
        case GossipEffect.Acknowledged told -> out.putString(told.toString());
        case GossipEffect.AcknowledgeAll told -> out.putString(told.toString());
        case GossipEffect.Reconciled told -> out.putString(told.toString());
      }
    }
    has(state, out);
    return out.toBytes();
  }

  private static byte[] bytes(RuntimeException thrown, ReplicaState state) {
    Encoder out = new Encoder();
    out.putString(thrown.toString());
    has(state, out);
    return out.toBytes();
  }

  private static void has(ReplicaState state, Encoder out) {
    state.applied().encode(out);
    Delta.putDots(out, state.supersededAhead());
    out.putFixedLong(state.fingerprint());
    out.putFixedLong(state.entries());
    out.putFixedLong(state.log().size());
    out.putFixedLong(state.log().bytes());
  }

  /** The state to which a replica and its core have come. */
  private static byte[] end(ReplicaState state, @Nullable AntiEntropy core) {
    Encoder out = new Encoder();
    has(state, out);
    if (core != null) {
      out.putString(core.counts() + " " + core.departure() + " " + core.retirements());
    }
    return out.toBytes();
  }
}
