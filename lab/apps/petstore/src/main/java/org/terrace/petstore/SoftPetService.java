package org.terrace.petstore;

import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedCounters;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.ReplicatedSet;
import org.terrace.collections.SetOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;
import org.terrace.invocation.Invocation;

/**
 * A service over soft state: counters of interests, a map of who asked last, and a set of the pets
 * known. Thread-safe.
 */
final class SoftPetService implements PetService {
  private final Work work;
  private final ReplicatedCounters<String> interests;
  private final ReplicatedMap<String, String> lastAsked;
  private final ReplicatedSet<String> pets;

  SoftPetService(
      PetServiceKind kind, Work work, ReplicatedCollections collections, WriteLevel level) {
    this.work = work;
    String name = kind.service();
    interests = collections.counters(name + ".interests", new SetOptions<>(Codecs.string(), level));
    lastAsked =
        collections.map(
            name + ".last", MapOptions.of(Codecs.string(), Codecs.string()).withLevel(level));
    pets = collections.set(name + ".pets", new SetOptions<>(Codecs.string(), level));
  }

  @Override
  public long note(String pet) {
    work.run();
    pets.add(pet);
    lastAsked.put(pet, Long.toHexString(Invocation.current().identity().client()));
    interests.add(pet, 1);
    return interests.get(pet);
  }

  @Override
  public long query(String pet) {
    work.run();
    return pets.contains(pet) ? interests.get(pet) : 0;
  }
}
