package org.terrace.report;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * A picture with a palette of its most frequent colours, which makes that of a page, flat colours
 * and the edges of letters, a third as large.
 */
final class PalettePicture {
  private static final int COLOURS = 256;

  private PalettePicture() {}

  /** Gives the pictures in files, as {@code tools/screenshots} names them, a palette. */
  public static void main(String[] files) throws IOException {
    for (String each : files) {
      Path file = Path.of(each);
      byte[] picture = of(Files.readAllBytes(file));
      if (picture.length > DocumentPicturesTest.MOST_BYTES) {
        throw new IOException(
            file
                + " has "
                + picture.length
                + " bytes; at most "
                + DocumentPicturesTest.MOST_BYTES
                + " are allowed");
      }
      Files.write(file, picture);
      System.out.printf("%s: %,d bytes%n", file.getFileName(), picture.length);
    }
  }

  /** A PNG with a palette, of a PNG without one; a rarer colour becomes the one nearest to it. */
  static byte[] of(byte[] png) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    Map<Integer, Integer> counts = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        counts.merge(image.getRGB(x, y), 1, Integer::sum);
      }
    }
    List<Integer> palette = palette(counts);
    int[] colours = palette.stream().mapToInt(Integer::intValue).toArray();
    BufferedImage reduced =
        new BufferedImage(
            image.getWidth(),
            image.getHeight(),
            BufferedImage.TYPE_BYTE_INDEXED,
            new IndexColorModel(8, colours.length, colours, 0, false, -1, 0));
    Map<Integer, Integer> places = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int place = places.computeIfAbsent(image.getRGB(x, y), colour -> nearest(colour, palette));
        reduced.getRaster().setSample(x, y, 0, place);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(reduced, "png", out);
    return out.toByteArray();
  }

  /** Half of the colours by frequency, the others one by one where the error is greatest. */
  private static List<Integer> palette(Map<Integer, Integer> counts) {
    List<Integer> all =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<Integer, Integer>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    List<Integer> palette = new ArrayList<>(all.subList(0, Math.min(COLOURS / 2, all.size())));
    long[] errors = new long[all.size()];
    for (int i = 0; i < errors.length; i++) {
      int colour = all.get(i);
      errors[i] = palette.stream().mapToInt(each -> distance(colour, each)).min().orElse(0);
    }
    while (palette.size() < Math.min(COLOURS, all.size())) {
      int worst = 0;
      for (int i = 1; i < errors.length; i++) {
        boolean greater =
            errors[i] * counts.get(all.get(i)) > errors[worst] * counts.get(all.get(worst));
        worst = greater ? i : worst;
      }
      int added = all.get(worst);
      palette.add(added);
      for (int i = 0; i < errors.length; i++) {
        errors[i] = Math.min(errors[i], distance(all.get(i), added));
      }
    }
    return palette;
  }

  private static int nearest(int colour, List<Integer> palette) {
    int exact = palette.indexOf(colour);
    return exact >= 0
        ? exact
        : palette.indexOf(
            palette.stream().min(Comparator.comparingInt(each -> distance(colour, each))).get());
  }

  private static int distance(int one, int other) {
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      int difference = (one >> shift & 0xFF) - (other >> shift & 0xFF);
      sum += difference * difference;
    }
    return sum;
  }
}
