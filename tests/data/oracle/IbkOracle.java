import java.io.BufferedReader;
import java.io.FileReader;
import weka.classifiers.lazy.IBk;
import weka.core.EuclideanDistance;
import weka.core.Instances;

/**
 * Answers of Weka's IBk for ibk.py: arguments are two ARFF files, rows to learn from and new rows.
 * Prints the distances of every new row from all others, and the class that 1, 3 and 5 neighbours
 * vote for.
 */
public class IbkOracle {
    static Instances read(String path) throws Exception {
        try (BufferedReader reader = new BufferedReader(new FileReader(path))) {
            Instances rows = new Instances(reader);
            rows.setClassIndex(rows.numAttributes() - 1);
            return rows;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Instances rows = read(arguments[0]);
        Instances asked = read(arguments[1]);
        EuclideanDistance distance = new EuclideanDistance(rows);
        for (int i = 0; i < asked.numInstances(); i++) {
            StringBuilder line = new StringBuilder("DISTANCES");
            for (int j = 0; j < rows.numInstances(); j++) {
                line.append(' ').append(distance.distance(asked.instance(i), rows.instance(j)));
            }
            System.out.println(line);
        }
        for (int k : new int[] {1, 3, 5}) {
            IBk learner = new IBk(k);
            learner.buildClassifier(rows);
            StringBuilder line = new StringBuilder("CLASSES");
            for (int i = 0; i < asked.numInstances(); i++) {
                line.append(' ').append((int) learner.classifyInstance(asked.instance(i)));
            }
            System.out.println(line);
        }
    }
}
