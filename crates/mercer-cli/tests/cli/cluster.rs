//! `mercer cluster` with maps, kernels and a choice of the number; `lvq`, `hopfield`, `mercer rank`.

use crate::harness::Folder;

/// Rows in four groups.
fn groups(folder: &Folder) {
    let mut text = String::from("name,x,y,kind\n");
    for i in 0..80 {
        let noise = |k: usize| ((i * k) % 11) as f64 / 11.0;
        let (a, b) = (10 * (i % 2), 10 * (i / 2 % 2));
        let (x, y) = (a as f64 + noise(7), b as f64 + noise(5));
        text.push_str(&format!("r{i},{x},{y},{}\n", ["p", "q"][i % 2]));
    }
    folder.put("rows.csv", &text);
}

#[test]
fn the_number_of_clusters_is_chosen_with_a_reason() {
    let folder = Folder::new();
    groups(&folder);
    let told = folder.run("cluster rows.csv --id name --drop kind --clusters 2..6 -o c.csv");
    for part in [
        "Number of clusters",
        "silhouette",
        "Caliński–Harabasz",
        "4 clusters: their mean silhouette",
    ] {
        assert!(told.ok().contains(part), "{part}: {}", told.out);
    }
    let object = folder
        .run("cluster rows.csv --id name --drop kind --clusters auto --json")
        .json();
    assert_eq!(object["choice"]["chosen"], 4);
    assert_eq!(object["choice"]["table"].as_array().map(Vec::len), Some(10));
    assert_eq!(object["clusters"].as_array().map(Vec::len), Some(4));
    folder
        .run("cluster rows.csv --drop kind,name --model som --clusters 2..4")
        .fails(2, &["chosen for `kmeans`"]);
    folder
        .run("cluster rows.csv --drop kind,name --clusters many")
        .fails(2, &["2..10"]);
    folder
        .run("fit rows.csv --drop kind,name --model kmeans --clusters auto -o m.mercer")
        .fails(2, &["clusters"]);
}

#[test]
fn maps_and_clusters_are_drawn_saved_and_asked() {
    let folder = Folder::new();
    groups(&folder);
    let told = folder.run(
        "cluster rows.csv --id name --drop kind --model som --map-rows 4 --map-columns 5 --save m.mercer --plot map.svg",
    );
    for part in ["units", "quantisation", "topographic", "map.svg"] {
        assert!(told.ok().contains(part), "{part}: {}", told.out);
    }
    let picture = std::fs::read_to_string(folder.path("map.svg")).expect("a picture");
    assert!(picture.contains("U-matrix") && picture.matches("unit ").count() >= 20);
    let object = folder.run("predict m.mercer rows.csv --json").json();
    let first = object["predictions"][0].as_u64().expect("a unit");
    assert!(first < 20);
    assert!(folder.run("inspect m.mercer").ok().contains("som"));
    folder
        .run("cluster rows.csv --drop kind,name --clusters 4 --plot clusters.svg")
        .ok();
    let picture = std::fs::read_to_string(folder.path("clusters.svg")).expect("a picture");
    assert!(picture.contains("principal direction") && picture.contains("cluster 3"));
    let page = folder.run(
        "fit rows.csv --drop kind,name --model som --training online --lattice rectangular -o o.mercer --report r.html",
    );
    page.ok();
    let page = std::fs::read_to_string(folder.path("r.html")).expect("a page");
    assert!(page.contains("U-matrix") && page.contains("topographic error"));
    let object = folder
        .run("cluster rows.csv --drop kind,name --model kernel_kmeans --kernel rbf --clusters 4 --json --save k.mercer --plot k.svg")
        .json();
    assert_eq!(object["clusters"].as_array().map(Vec::len), Some(4));
    folder.run("predict k.mercer rows.csv").ok();
}

#[test]
fn texts_have_clusters_under_a_kernel() {
    let folder = Folder::new();
    let words = ["banana", "bananas", "ananas", "kernel", "kernels", "kern"];
    folder.put("words.csv", format!("word\n{}\n", words.join("\n")));
    let object = folder
        .run("cluster words.csv --kind word=text --model kernel_kmeans --kernel normalise(spectrum(length=2)) --clusters 2 --json")
        .json();
    let sizes: Vec<u64> = (0..2)
        .map(|k| object["clusters"][k]["rows"].as_u64().expect("rows"))
        .collect();
    assert_eq!(sizes, [3, 3]);
    folder
        .run("cluster words.csv --kind word=text --model kernel_kmeans --kernel spectrum(length=2) --clusters 2 --plot w.svg")
        .fails(2, &["columns of numbers"]);
}

#[test]
fn prototypes_tell_classes_apart() {
    let folder = Folder::new();
    groups(&folder);
    for variant in ["lvq1", "lvq2.1", "lvq3"] {
        folder
            .run(&format!(
                "fit rows.csv -t kind --id name --model lvq --variant {variant} --prototypes 2 -o l.mercer"
            ))
            .ok();
        let object = folder.run("score l.mercer rows.csv --json").json();
        assert_eq!(object["metrics"]["accuracy"]["value"], 1.0, "{object}");
    }
    folder
        .run("cv rows.csv -t kind --id name --model lvq --folds 4")
        .ok();
}

#[test]
fn a_memory_recalls_patterns() {
    let folder = Folder::new();
    folder
        .put("two.csv", "a,b,c,d,e,f\n1,1,1,-1,-1,-1\n1,-1,1,-1,1,-1\n")
        .put("new.csv", "a,b,c,d,e,f\n-1,1,1,-1,-1,-1\n");
    let told = folder.run("fit two.csv --model hopfield -o h.mercer -v");
    assert!(told.ok().contains("beyond the capacity"), "{}", told.out);
    let object = folder.run("predict h.mercer new.csv --json").json();
    let expected = serde_json::json!([[1.0, 1.0, 1.0, -1.0, -1.0, -1.0]]);
    assert_eq!(object["predictions"], expected);
    folder.put("bad.csv", "a,b\n1,0.5\n-1,1\n");
    folder
        .run("fit bad.csv --model hopfield -o b.mercer")
        .fails(1, &["no state of a pattern"]);
}

#[test]
fn nodes_are_ranked() {
    let folder = Folder::new();
    folder.put("links.csv", "from,to\nA,B\nA,C\nB,C\nC,A\n");
    let object = folder.run("rank links.csv --json").json();
    let expected = [
        ("C", 0.397_399_66),
        ("A", 0.387_789_71),
        ("B", 0.214_810_63),
    ];
    for (k, (node, rank)) in expected.iter().enumerate() {
        assert_eq!(object["ranks"][k]["node"], *node);
        let found = object["ranks"][k]["rank"].as_f64().expect("a rank");
        assert!((found - rank).abs() < 5e-9, "{found}");
    }
    let told = folder.run("rank links.csv -o ranks.csv");
    assert!(told.ok().contains("PageRank"), "{}", told.out);
    let table = std::fs::read_to_string(folder.path("ranks.csv")).expect("a table");
    assert!(table.starts_with("node,rank\nC,0.39739"), "{table}");
    folder.run("rank links.csv --undirected").ok();
    folder
        .run("rank links.csv --damping 1.5")
        .fails(2, &["damping"]);
    folder.put("one.csv", "from\nA\nB\n");
    folder.run("rank one.csv").fails(1, &["two columns"]);
}

#[test]
fn centres_of_many_columns_fit_a_terminal() {
    let folder = Folder::new();
    let names: Vec<String> = (0..12).map(|k| format!("a_rather_long_name_{k}")).collect();
    let mut text = names.join(",") + "\n";
    for i in 0..60_usize {
        let cells: Vec<String> = (0..12)
            .map(|k| format!("{}", (i % 3) * 10 + i * (k + 3) % 7))
            .collect();
        text += &(cells.join(",") + "\n");
    }
    folder.put("d.csv", text);
    for clusters in ["3", "auto"] {
        let done = folder.run(&format!("cluster d.csv --clusters {clusters}"));
        let wide = done.ok().lines().find(|l| l.chars().count() > 80);
        assert_eq!(wide, None, "{}", done.out);
        assert!(done.out.contains("a_rather_long_name_7"), "{}", done.out);
    }
}

#[test]
fn few_rows_need_no_number() {
    let folder = Folder::new();
    folder.put("few.csv", "a,b\n1,1\n1,1\n9,8\n9,9\n");
    let told = folder.run("cluster few.csv");
    assert!(
        told.ok().contains("sorts rows into 2 clusters"),
        "{}",
        told.out
    );
    folder
        .run("cluster few.csv --clusters 9")
        .fails(2, &["at most 4, the number of rows"]);
    let one = folder.run("cluster few.csv --clusters 1");
    assert!(
        one.ok().contains("sorts rows into 1 cluster\n"),
        "{}",
        one.out
    );
    folder.run("cluster few.csv --model lvq").fails(
        2,
        &[
            "`lvq` is for the task `classify`",
            "mercer fit --model lvq",
            "`kmeans`",
        ],
    );
}
