package org.terrace.invocation.softstate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.invocation.Outcome;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;
import org.terrace.testing.simulation.SimulationOptions;

/** A front end and its replicas on simulated nodes, and what each call came to. */
final class SimulatedService {
  static final long MILLI = 1_000_000;
  static final String FRONT_END = "front end";
  private static final int CALL = 1;
  private static final int REPLY = 2;
  private static final int HEALTH_PROBE = 3;
  private static final int HEALTH_PROBE_REPLY = 4;

  /** One call and its end. */
  static final class Call {
    final RequestIdentity identity;
    final boolean isUpdate;
    final long begunNanos;
    final long deadlineNanos;
    final List<String> ends = new ArrayList<>();
    final Set<String> ran = new HashSet<>();
    final Map<String, Integer> sentTo = new TreeMap<>();
    final Set<String> askedToAnswer = new HashSet<>();
    Outcome outcome = Outcome.UNKNOWN;
    long endNanos;

    Call(RequestIdentity identity, boolean isUpdate, long begunNanos, long deadlineNanos) {
      this.identity = identity;
      this.isUpdate = isUpdate;
      this.begunNanos = begunNanos;
      this.deadlineNanos = deadlineNanos;
    }
  }

  final Simulation simulation;
  final List<String> names;
  FrontEnd frontEnd;
  boolean mayEndLate;
  final Map<RequestIdentity, Call> calls = new HashMap<>();
  final Map<String, Long> serviceNanos = new HashMap<>();
  private SimulatedNode node;

  SimulatedService(long seed, SimulationOptions network, int replicas, SoftStateOptions options) {
    simulation = new Simulation(seed, network);
    names = List.of("a", "b", "c", "d", "e").subList(0, replicas);
    frontEnd = new FrontEnd(options);
    for (String name : names) {
      serviceNanos.put(name, 100_000L);
      simulation.addNode(name, this::startReplica);
    }
    simulation.addNode(FRONT_END, this::startFrontEnd);
  }

  private void startReplica(SimulatedNode replica) {
    replica.onMessage((from, message) -> {
      Decoder in = new Decoder(message);
      int kind = in.getByte();
      Encoder out = new Encoder();
      if (kind == HEALTH_PROBE) {
        out.putByte(HEALTH_PROBE_REPLY);
        replica.send(from, out.toBytes());
        return;
      }
      RequestIdentity identity = new RequestIdentity(in.getFixedLong(), in.getUnsigned());
      boolean answers = in.getByte() == 1;
      calls.get(identity).ran.add(replica.name());
      if (answers) {
        out.putByte(REPLY);
        out.putFixedLong(identity.client());
        out.putUnsigned(identity.sequence());
        replica.after(serviceNanos.get(replica.name()), () -> replica.send(from, out.toBytes()));
      }
    });
  }

  /** A front end that starts anew knows nothing of the calls before. */
  private void startFrontEnd(SimulatedNode started) {
    node = started;
    frontEnd = new FrontEnd(frontEnd.options);
    for (Call call : calls.values()) {
      if (call.ends.isEmpty()) {
        call.ends.add("the front end crashed");
      }
    }
    node.onMessage((from, message) -> {
      Decoder in = new Decoder(message);
      if (in.getByte() == HEALTH_PROBE_REPLY) {
        step(new FrontEndEvent.HealthProbeAnswered(from, false));
      } else {
        RequestIdentity identity = new RequestIdentity(in.getFixedLong(), in.getUnsigned());
        step(new FrontEndEvent.Replied(identity, from, true));
      }
    });
    step(new FrontEndEvent.ReplicasChanged(names));
    step(new FrontEndEvent.HealthProbesDue());
    node.every(
        frontEnd.options.healthProbePeriod().toNanos(),
        () -> step(new FrontEndEvent.HealthProbesDue()));
  }

  void begin(RequestIdentity identity, boolean isUpdate, long timeoutNanos) {
    long now = simulation.nowNanos();
    calls.put(identity, new Call(identity, isUpdate, now, now + timeoutNanos));
    step(new FrontEndEvent.Begun(identity, isUpdate, now + timeoutNanos));
  }

  void step(FrontEndEvent event) {
    frontEnd.step(event, simulation.nowNanos()).forEach(this::perform);
  }

  private void perform(FrontEndEffect effect) {
    switch (effect) {
      case FrontEndEffect.Send(RequestIdentity identity, String replica, boolean answers) ->
          send(identity, replica, answers);
      case FrontEndEffect.SendHealthProbe(String replica) -> {
        Encoder out = new Encoder();
        out.putByte(HEALTH_PROBE);
        node.send(replica, out.toBytes());
        node.after(500 * MILLI, () -> step(new FrontEndEvent.HealthProbeFailed(replica)));
      }
      case FrontEndEffect.Wake(RequestIdentity identity, long atNanos) ->
          node.after(
              Math.max(0, atNanos - simulation.nowNanos()),
              () -> step(new FrontEndEvent.Woken(identity)));
      case FrontEndEffect.Finish(RequestIdentity identity, String replica) ->
          end(identity, "reply of " + replica, Outcome.DONE);
      case FrontEndEffect.GiveUp(RequestIdentity identity, Outcome outcome) ->
          end(identity, "given up", outcome);
    }
  }

  /** A replica that is down refuses at once, as a closed port does. */
  private void send(RequestIdentity identity, String replica, boolean answers) {
    Call call = calls.get(identity);
    call.sentTo.merge(replica, 1, Integer::sum);
    if (answers) {
      call.askedToAnswer.add(replica);
    }
    if (!simulation.node(replica).isRunning()) {
      node.after(
          50_000,
          () ->
              step(
                  answers
                      ? new FrontEndEvent.Failed(identity, replica, false)
                      : new FrontEndEvent.CopyFailed(identity, replica, false)));
      return;
    }
    Encoder out = new Encoder();
    out.putByte(CALL);
    out.putFixedLong(identity.client());
    out.putUnsigned(identity.sequence());
    out.putByte(answers ? 1 : 0);
    node.send(replica, out.toBytes());
  }

  private void end(RequestIdentity identity, String how, Outcome outcome) {
    Call call = calls.get(identity);
    call.ends.add(how);
    call.outcome = outcome;
    call.endNanos = simulation.nowNanos();
  }

  /** The sentences about what is wrong with the ends of the calls; none if all is well. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    for (Call call : calls.values()) {
      if (call.ends.size() != 1) {
        violations.add(call.identity + " ended " + call.ends.size() + " times: " + call.ends);
      }
      if (!mayEndLate && call.endNanos > call.deadlineNanos + MILLI) {
        violations.add(call.identity + " ended after its deadline");
      }
      if (call.outcome == Outcome.NOT_EXECUTED && call.isUpdate && !call.ran.isEmpty()) {
        violations.add(call.identity + " was said not to have run and ran at " + call.ran);
      }
      if (call.outcome == Outcome.DONE && call.ran.isEmpty()) {
        violations.add(call.identity + " was answered by nobody");
      }
      if (call.isUpdate && call.sentTo.size() < names.size()) {
        violations.add(call.identity + " was sent to " + call.sentTo.keySet() + " alone");
      }
    }
    if (frontEnd.callsUnderWay() != 0) {
      violations.add(frontEnd.callsUnderWay() + " calls are kept though all have ended");
    }
    return violations;
  }

  static SoftStateOptions options(RandomGenerator random) {
    return SoftStateOptions.defaults()
        .withRedundancy(1 + random.nextInt(3))
        .withHedgeShareMax(random.nextBoolean() ? 0 : random.nextDouble())
        .withDiscovery(
            random.nextInt(4) == 0
                ? SoftStateOptions.Discovery.FIRST_REPLY
                : SoftStateOptions.Discovery.ADAPTIVE);
  }
}
