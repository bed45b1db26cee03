import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/**
 * Answers of Weka's J48 for j48.py: reads lines "FILE.arff FOLDS REPEATS [option ...]" and prints
 * the tree on all rows, the class it predicts for every row when the row's fold is held out, and
 * seconds to build it in a warm virtual machine. FOLDS is a file with a number per row, or "-".
 */
public class J48Oracle {
    static Instances read(String path) throws Exception {
        try (BufferedReader reader = new BufferedReader(new FileReader(path))) {
            Instances rows = new Instances(reader);
            rows.setClassIndex(rows.numAttributes() - 1);
            return rows;
        }
    }

    static J48 build(Instances rows, String[] options) throws Exception {
        J48 tree = new J48();
        tree.setOptions(options.clone());
        tree.buildClassifier(rows);
        return tree;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.trim().split("\\s+");
            Instances rows = read(words[0]);
            int repeats = Integer.parseInt(words[2]);
            String[] options = Arrays.copyOfRange(words, 3, words.length);
            System.out.println("BEGIN " + words[0]);
            System.out.println(build(rows, options));
            if (!words[1].equals("-")) {
                String[] folds = new BufferedReader(new FileReader(words[1])).readLine().split(" ");
                double[] answers = new double[rows.numInstances()];
                for (String fold : Arrays.stream(folds).distinct().toArray(String[]::new)) {
                    Instances training = new Instances(rows, 0);
                    for (int i = 0; i < folds.length; i++)
                        if (!folds[i].equals(fold)) training.add(rows.instance(i));
                    J48 tree = build(training, options);
                    for (int i = 0; i < folds.length; i++)
                        if (folds[i].equals(fold))
                            answers[i] = tree.classifyInstance(rows.instance(i));
                }
                StringBuilder out = new StringBuilder("ANSWERS");
                for (double answer : answers) out.append(' ').append((int) answer);
                System.out.println(out);
            }
            if (repeats > 0) {
                double[] seconds = new double[repeats];
                for (int k = 0; k < repeats; k++) {
                    long start = System.nanoTime();
                    build(rows, options);
                    seconds[k] = (System.nanoTime() - start) * 1e-9;
                }
                StringBuilder out = new StringBuilder("SECONDS");
                for (double s : seconds) out.append(' ').append(s);
                System.out.println(out);
            }
            System.out.println("END");
        }
    }
}
